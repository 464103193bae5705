import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

// Where `npm run dev` finds a simulator.
const simulator = process.env.SIM_API_URL ?? "http://127.0.0.1:8080";

export default defineConfig({
  base: "/sim/",
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: { target: "es2022", chunkSizeWarningLimit: 900, reportCompressedSize: false },
  plugins: [precompressed()],
  server: {
    // The API refuses requests that a foreign page sends: the server in between speaks in its own name.
    proxy: { "/sim/api": { target: simulator, changeOrigin: true, headers: { origin: simulator } } },
  },
});

/** Writes each text file a second and third time, compressed once here instead of on every request. */
function precompressed(): Plugin {
  return {
    name: "precompressed",
    apply: "build",
    // Other steps change what is in the bundle until it is on the disk.
    writeBundle({ dir = "" }, bundle) {
      for (const fileName of Object.keys(bundle)) {
        if (!/\.(js|css|html|svg)$/.test(fileName)) continue;
        const path = join(dir, fileName);
        const text = readFileSync(path);
        writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
        writeFileSync(`${path}.br`, brotliCompressSync(text));
      }
    },
  };
}
