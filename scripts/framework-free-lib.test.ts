import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from './processes.ts'

const root = join(import.meta.dirname, '..')

/** Prints every file that was loaded, so that React behind a dependency shows as well. */
const loadingProgramFor = (module: string) => `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
  const exported = await import(${JSON.stringify(join(root, module))})
  console.log(JSON.stringify({ loaded, exported: Object.keys(exported) }))
  process.exit(0)
`

test('the core opens documents without React, Next or the server', async () => {
  const { code, output } = await run(process.execPath, [
    '--input-type=module',
    '-e',
    loadingProgramFor('lib/client.ts'),
  ])
  expect(code, output).toBe(0)
  const { loaded, exported } = JSON.parse(output) as { loaded: string[]; exported: string[] }
  expect(exported).toContain('openDocument')
  expect(loaded.some((url) => url.endsWith('lib/client.ts'))).toBe(true)
  const foreignModules = loaded.filter((url) =>
    /\/node_modules\/(react|react-dom|next|@tiptap)\/|\/(app|components|server)\//.test(
      url.replace(root, ''),
    ),
  )
  expect(foreignModules).toEqual([])
})
