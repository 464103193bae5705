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
    enforce: "post",
    generateBundle(_options, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        if (!/\.(js|css|html|svg)$/.test(fileName)) continue;
        const text = Buffer.from(file.type === "chunk" ? file.code : file.source);
        this.emitFile({ type: "asset", fileName: `${fileName}.gz`, source: gzipSync(text, { level: 9 }) });
        this.emitFile({ type: "asset", fileName: `${fileName}.br`, source: brotliCompressSync(text) });
      }
    },
  };
}
