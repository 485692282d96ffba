// This is plain JavaScript that an old Node can read. It runs before the first .ts file (see the scripts of package.json).
const needed = 24

if (Number(process.versions.node.split('.')[0]) < needed) {
  console.error(
    `Diptych needs Node ${needed} or newer, and this is ${process.version} (${process.execPath}): ` +
      'on Linux x64 and arm64 `npm ci` brings one along and `npm start` uses it; elsewhere install it from https://nodejs.org.',
  )
  process.exit(1)
}
