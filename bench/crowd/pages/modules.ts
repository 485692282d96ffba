/** The project's own modules in a browser, as they stand: types are blanked out on the way. Nothing is bundled or built. */
import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import type { BrowserContext } from '@playwright/test'
import { projectFolder } from '../../../server/page-build.ts'

const ROOT = '/bench-modules/'
export const PAGE = `${ROOT}page`

const html = `<!doctype html><title>Crowd</title>
<script type="importmap">
  { "imports": { "lib0/": "${ROOT}node_modules/lib0/" } }
</script>
<script type="module">
  import * as crowd from '${ROOT}bench/crowd/pages/client-page.ts'
  window.crowd = crowd
</script>`

/** Below an address of the server's own origin, so that the pages are at home there. */
export async function serveModules(context: BrowserContext, origin: string): Promise<void> {
  await context.route(`${origin}${ROOT}**/*`, async (route) => {
    const path = new URL(route.request().url()).pathname.slice(ROOT.length)
    await route.fulfill({ contentType: 'text/javascript', body: await moduleAt(path) })
  })
  // What no server sent counts as the internet's, which may open no WebSocket to this machine unasked.
  await context.grantPermissions(['local-network-access'], { origin })
  // The later route is asked first.
  await context.route(`${origin}${PAGE}`, (route) => route.fulfill({ contentType: 'text/html', body: html }))
}

async function moduleAt(path: string): Promise<string> {
  const file = join(projectFolder, /\.\w+$/.test(path) ? path : `${path}.js`)
  const text = await readFile(file, 'utf8')
  return file.endsWith('.ts') ? stripTypeScriptTypes(text) : text
}
