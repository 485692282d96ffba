/** From nothing to a window that can be used. */
import type { PanelId } from '../../lib/windows/panels.ts'
import { untilQuiet } from '../support/machine.ts'
import { scriptsLoaded } from './page.ts'
import { freshContext, openUsable, pathOf, QUIET_MS, type World } from './world.ts'

export interface Opening {
  readonly what: 'main' | PanelId
  readonly usableMs: number
  readonly bytes: number
  readonly unpacked: number
}

export async function openCold(world: World, what: 'main' | PanelId): Promise<Opening> {
  const context = await freshContext(world)
  try {
    await untilQuiet(QUIET_MS)
    const page = await openUsable(context, world.origin + pathOf(world.document, what))
    const usableMs = await page.evaluate(() => window.usableAt!)
    return { what, usableMs, ...(await page.evaluate(scriptsLoaded)) }
  } finally {
    await context.close()
  }
}
