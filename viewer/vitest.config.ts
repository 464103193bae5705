import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const browser = {
  // One simulator and few cores: one file after the other.
  pool: "forks",
  poolOptions: { forks: { singleFork: true } },
  testTimeout: 240_000,
  hookTimeout: 120_000,
} as const;

// The tests live in tests/viewer, where node would not look for the packages of this folder.
export default defineConfig({
  root: here(".."),
  cacheDir: here("node_modules/.vite"),
  server: { fs: { allow: [here("..")] } },
  resolve: { alias: [{ find: /^(playwright-core|three)$/, replacement: here("node_modules/$1") }] },
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  test: {
    projects: [
      { extends: true, test: { name: "unit", include: ["tests/viewer/unit/**/*.test.ts"] } },
      { extends: true, test: { name: "browser", include: ["tests/viewer/browser/**/*.test.ts"], ...browser } },
      { extends: true, test: { name: "screenshots", include: ["tests/viewer/screenshots/**/*.test.ts"], ...browser } },
    ],
  },
});
