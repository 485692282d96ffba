/** From nothing to a window that can be used. */
import type { PanelId } from '../../lib/windows/panels.ts'
import { untilQuiet } from '../support/machine.ts'
import { scriptsLoaded } from './window-probes.ts'
import { freshContext, openUsable, pathOf, QUIET_MS, type BrowserSetup } from './browser-setup.ts'

export interface WindowOpening {
  readonly what: 'main' | PanelId
  readonly usableMs: number
  readonly bytes: number
  readonly unpacked: number
}

export async function openCold(setup: BrowserSetup, what: 'main' | PanelId): Promise<WindowOpening> {
  const context = await freshContext(setup)
  try {
    await untilQuiet(QUIET_MS)
    const page = await openUsable(context, setup.origin + pathOf(setup.document, what))
    const usableMs = await page.evaluate(() => window.usableAt!)
    return { what, usableMs, ...(await page.evaluate(scriptsLoaded)) }
  } finally {
    await context.close()
  }
}
