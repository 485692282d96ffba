import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { componentFolders } from '../.oxlintrc.arrows.mjs'
import { run } from './processes.ts'

const root = new URL('..', import.meta.url).pathname
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'diptych-arrows-'))
  for (const file of ['.oxlintrc.arrows.mjs', 'tsconfig.json'])
    copyFileSync(join(root, file), join(folder, file))
})

afterAll(() => rmSync(folder, { recursive: true }))

async function lint(files: Record<string, string>): Promise<string> {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const { output } = await run(join(root, 'node_modules/.bin/oxlint'), [
    '-c',
    join(folder, '.oxlintrc.arrows.mjs'),
    ...Object.keys(files).map((name) => join(folder, name)),
  ])
  for (const name of Object.keys(files)) rmSync(join(folder, name))
  return output
}

const forbiddenImports: readonly (readonly [file: string, imported: string, says: string])[] = [
  ['lib/client.ts', '../server/main.ts', 'lib imports neither'],
  ['lib/sync/provider.ts', '../../server/store/store.ts', 'lib imports neither'],
  ['lib/sync/provider.ts', '@/server/store/store.ts', 'lib imports neither'],
  ['lib/sync/provider.ts', '../../components/editor/editor.tsx', 'lib imports neither'],
  ['lib/sync/provider.ts', '@/app/page.tsx', 'lib imports neither'],
  ['lib/sync/provider.ts', 'react', 'without React'],
  ['lib/sync/provider.ts', 'react-dom/client', 'without React'],
  ['lib/sync/provider.ts', 'next/link', 'without React'],
  ['lib/session/outbox.ts', 'node:fs', 'what needs Node'],
  ['lib/transports/websocket.ts', 'ws', 'what needs Node'],
  ['lib/transports/net/node.ts', '../../../server/main.ts', 'lib imports neither'],
  ['components/editor/editor.tsx', '@/app/page.tsx', 'components import'],
  ['components/editor/editor.tsx', '../../app/page.tsx', 'components import'],
  ['components/editor/editor.tsx', '@/server/config.ts', 'components import'],
  ['components/ui/button.tsx', '@/components/settings/use-settings.ts', 'only the folders before'],
  ['components/ui/button.tsx', '../settings/use-settings.ts', 'only the folders before'],
  ['components/ui/button.tsx', 'sonner', 'load it at once'],
  ['components/settings/use-settings.ts', '@/components/editor/editor.tsx', 'only the folders before'],
  ['components/undo/use-undo.ts', '@/server/config.ts', 'components import'],
  ['components/blocks/table/table-items.ts', '../../editor/extensions.ts', 'only the folders before'],
  ['components/binding/reading.ts', '@/components/blocks/blocks.ts', 'only the folders before'],
  ['components/windows/own-page.ts', '@/components/dock/dock.ts', 'only the folders before'],
  ['components/lab/lab.tsx', '@/server/config.ts', 'components import'],
  ['app/page.tsx', '@/server/config.ts', 'app imports'],
  ['app/d/[id]/page.tsx', '../../../server/config.ts', 'app imports'],
  ['server/main.ts', '../components/editor/editor.tsx', 'server imports neither'],
  ['server/main.ts', '../app/page.tsx', 'server imports neither'],
  ['server/rooms/live-rooms.ts', '../../lib/sync/provider.ts', 'server imports of lib only'],
  ['server/main.ts', '../lib/client.ts', 'server imports of lib only'],
  ['server/main.ts', 'react', 'server knows no React'],
]

const allowedImports: readonly (readonly [file: string, imported: string])[] = [
  ['lib/sync/provider.ts', '../session/session.ts'],
  ['lib/sync/provider.ts', 'yjs'],
  ['lib/transports/net/node.ts', 'ws'],
  ['components/editor/editor.tsx', '@/lib/client.ts'],
  ['components/undo/use-undo.ts', '@/components/settings/use-settings.ts'],
  ['components/profile/own-profile.ts', '@/components/http-api.ts'],
  ['components/editor/extensions.ts', '../blocks/blocks.ts'],
  ['components/document-window/document-view.tsx', '@/components/dock/dock.ts'],
  ['app/page.tsx', '@/components/editor/editor.tsx'],
  ['server/rooms/live-rooms.ts', '../../lib/protocol/close.ts'],
  ['server/sessions/sessions.ts', '../../lib/session/receiver.ts'],
  ['server/gateways/sse.ts', '../../lib/transports/transport.ts'],
  ['lib/transports/sse.test.ts', '../../server/gateways/sse.ts'],
]

test.each(forbiddenImports)('%s may not import %s', async (file, imported, says) => {
  expect(await lint({ [file]: `import * as it from '${imported}'\nexport const that = it\n` })).toContain(
    says,
  )
})

test.each(forbiddenImports.slice(0, 3))('%s may not pass %s on', async (file, imported, says) => {
  expect(await lint({ [file]: `export * from '${imported}'\n` })).toContain(says)
})

test.each(allowedImports)('%s may import %s', async (file, imported) => {
  const output = await lint({ [file]: `import * as it from '${imported}'\nexport const that = it\n` })
  expect(output).toContain('Found 0 warnings and 0 errors')
})

test('each folder of components has its place in the order', () => {
  const folders = readdirSync(join(root, 'components'), { withFileTypes: true })
  const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  expect([...componentFolders].sort()).toEqual(names.sort())
})

test('imports form no cycle, types included', async () => {
  const output = await lint({
    'lib/a.ts': `import type { B } from '@/lib/b.ts'\nexport type A = B\n`,
    'lib/b.ts': `import type { A } from './a.ts'\nexport type B = A | string\n`,
  })
  expect(output).toContain('Dependency cycle detected')
})
