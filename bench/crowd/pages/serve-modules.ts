/** Serves the project's own modules to a browser. Types are stripped from them on the way; nothing is bundled or built. */
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

/** Serves them under the server's own origin, so that the pages belong to it. */
export async function serveModules(context: BrowserContext, origin: string): Promise<void> {
  await context.route(`${origin}${ROOT}**/*`, async (route) => {
    const path = new URL(route.request().url()).pathname.slice(ROOT.length)
    await route.fulfill({ contentType: 'text/javascript', body: await moduleAt(path) })
  })
  // For Chromium, a page that no server sent comes from the internet, and needs permission to open a WebSocket to this machine.
  await context.grantPermissions(['local-network-access'], { origin })
  // Playwright asks the later route first.
  await context.route(`${origin}${PAGE}`, (route) => route.fulfill({ contentType: 'text/html', body: html }))
}

async function moduleAt(path: string): Promise<string> {
  const file = join(projectFolder, /\.\w+$/.test(path) ? path : `${path}.js`)
  const text = await readFile(file, 'utf8')
  return file.endsWith('.ts') ? stripTypeScriptTypes(text) : text
}
