/** Smaller replacements for what Yjs and Tiptap import, in pages alone. */
const replacements = {
  'lib0/buffer': 'lib0-in-pages/buffer.ts',
  'lib0/environment': 'lib0-in-pages/environment.ts',
  'lib0/logging': 'lib0-in-pages/logging.ts',
  'fast-equals': 'tiptap-in-pages/fast-equals.ts',
  linkifyjs: 'tiptap-in-pages/linkifyjs.ts',
}
const resolveAlias = {
  ...Object.fromEntries(
    Object.entries(replacements).map(([module, file]) => [module, { browser: `./lib/${file}` }]),
  ),
  // React has had it itself since 18.
  'use-sync-external-store/shim': { browser: 'react' },
  'use-sync-external-store/shim/index.js': { browser: 'react' },
}

/** @type {import('next').NextConfig} */
export default {
  // Pages are compressed by server/compression.ts, whichever HTTP version carries them.
  compress: false,
  poweredByHeader: false,
  reactStrictMode: true,
  // Where development serves its tools, besides localhost.
  allowedDevOrigins: ['127.0.0.1'],
  turbopack: { root: import.meta.dirname, resolveAlias },
  // A page's script in as few files as possible: together they compress better, by 4 % of a document's script.
  experimental: { turbopackChunking: { minChunkSize: 1_000_000, maxMergeChunkSize: 4_000_000 } },
  // Types are checked by `npm run check:types`, with the compiler of this project.
  typescript: { ignoreBuildErrors: true },
}
