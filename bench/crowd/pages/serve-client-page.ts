/** Serves the page with clients of a crowd, under the server's own origin, so that the page belongs to it. */
import type { BrowserContext } from '@playwright/test'
import { bundlePageScript } from '../../support/page-script.ts'

export const PAGE_PATH = '/bench-crowd'
const SCRIPT_PATH = '/bench-crowd.js'

const html = `<!doctype html><title>Crowd</title><script type="module" src="${SCRIPT_PATH}"></script>`

/** @param folder The folder in which the page's script is written. */
export async function serveClientPage(
  context: BrowserContext,
  origin: string,
  folder: string,
): Promise<void> {
  const script = await bundlePageScript('bench/crowd/pages/client-page.ts', folder)
  // For Chromium, a page that no server sent comes from the internet, and needs permission to open a WebSocket to this machine.
  await context.grantPermissions(['local-network-access'], { origin })
  await context.route(origin + PAGE_PATH, (route) => route.fulfill({ contentType: 'text/html', body: html }))
  await context.route(origin + SCRIPT_PATH, (route) => route.fulfill({ path: script }))
}
