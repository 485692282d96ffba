/** @type {import('next').NextConfig} */
export default { compress: false, typescript: { ignoreBuildErrors: true }, reactStrictMode: true, poweredByHeader: false }
