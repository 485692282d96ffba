/** Smaller replacements for what Yjs and its editor binding import, in pages alone. */
const lib0InPages = Object.fromEntries(
  ['buffer', 'dom', 'logging'].map((module) => [
    `lib0/${module}`,
    { browser: `./lib/lib0-in-pages/${module}.ts` },
  ]),
)

/** @type {import('next').NextConfig} */
export default {
  // Pages are compressed by server/compression.ts, whichever HTTP version carries them.
  compress: false,
  poweredByHeader: false,
  reactStrictMode: true,
  // Where development serves its tools, besides localhost.
  allowedDevOrigins: ['127.0.0.1'],
  turbopack: { root: import.meta.dirname, resolveAlias: lib0InPages },
  // Types are checked by `npm run check:types`, with the compiler of this project.
  typescript: { ignoreBuildErrors: true },
}
