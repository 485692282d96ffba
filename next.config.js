/** @type {import('next').NextConfig} */
export default {
  // Pages are compressed by server/compression.ts, whichever HTTP version carries them.
  compress: false,
  poweredByHeader: false,
  reactStrictMode: true,
  // Where development serves its tools, besides localhost.
  allowedDevOrigins: ['127.0.0.1'],
  turbopack: { root: import.meta.dirname },
  // Types are checked by `npm run check:types`, with the compiler of this project.
  typescript: { ignoreBuildErrors: true },
}
