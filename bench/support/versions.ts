/** Reads which releases are installed: from the packages themselves, not from what was asked for. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '../../server/page-build.ts'

const names = [
  '@hocuspocus/server',
  '@hocuspocus/extension-database',
  '@hocuspocus/extension-redis',
  '@hocuspocus/provider',
  '@tiptap/core',
  '@y/websocket-server',
  'socket.io',
  'ws',
  'yjs',
]

/** Looks where a file of bench/peers would find them: among the benchmarks' own packages, then the project's. */
export function versionsInstalled(root = projectFolder): Record<string, string> {
  const places = [join(root, 'bench/node_modules'), join(root, 'node_modules')]
  return Object.fromEntries(
    names.flatMap((name) => {
      const version = places.map((place) => versionAt(join(place, name))).find(Boolean)
      return version ? [[name, version]] : []
    }),
  )
}

/** Returns `yjs 13.6.31, ws 8.23.0`; '' if a run has no versions. */
export const versionWords = (versions: Readonly<Record<string, string>> = {}): string =>
  Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')

function versionAt(folder: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
