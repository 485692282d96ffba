/** Looks at a page: keeps a picture, and finds what overflows and what keeps people out. */
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect } from '@playwright/test'
import type { Page, TestInfo } from '@playwright/test'

/** Where axe's own experience says that people are kept out. */
const serious = ['serious', 'critical']

/**
 * Axe looks at all of a page in light, once on a desk and once on a phone; in dark, where nothing else differs, at contrast on a desk.
 * @param kept Whether the width is one of those at which the project keeps a picture, and axe looks.
 */
export async function expectFit(page: Page, name: string, info: TestInfo, kept = true): Promise<void> {
  await settled(page)
  await photograph(page, `${name}.png`.replaceAll(' ', '-').toLowerCase(), info, kept)
  expect(await stickingOut(page), 'what sticks out of the page').toEqual([])
  if (!kept) return
  const found = (await barriersOf(page)).filter(({ impact }) => serious.includes(impact ?? ''))
  expect(found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
}

/**
 * Right after a change of size Chromium may still lay out by the former width: a painted frame is by the new one. With a change of theme
 * colours fade, and have too little contrast half-way.
 */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const fading = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    await Promise.allSettled(fading.map(({ finished }) => finished))
  })
}

/** The innermost elements beyond the right edge, where the page is wider than its window. */
const stickingOut = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const over = (element: Element) => element.getBoundingClientRect().right > clientWidth
    const innermost = [...document.querySelectorAll('body *')].filter(
      (element) => over(element) && ![...element.children].some(over),
    )
    return [
      `${scrollWidth} px wide in ${clientWidth}:`,
      ...innermost.map(({ outerHTML }) => outerHTML.slice(0, 300)),
    ]
  })

/** Where nobody looks at the report's pictures none is taken: each costs as much as the looking. */
async function photograph(page: Page, file: string, info: TestInfo, kept: boolean): Promise<void> {
  const folder = kept && process.env.SCREENSHOTS
  if (!folder && !info.config.reporter.some(([reporter]) => reporter === 'html')) return
  const image = await page.screenshot({ ...(folder && { path: join(folder, file) }) })
  await info.attach(file, { body: image, contentType: 'image/png' })
}

async function barriersOf(page: Page) {
  const isDark = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme === 'dark')
  const isPhone = (page.viewportSize()?.width ?? 0) < 500
  if (isDark && isPhone) return []
  // Axe's other mode opens a blank page each time to put frames together: ours have none.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  if (isDark) axe.withRules(['color-contrast'])
  return (await axe.analyze()).violations
}

/** Waits until the page has taken each of them on, which it does by a script. */
export async function inLightAndDark(
  page: Page,
  look: (colorScheme: 'light' | 'dark') => Promise<void>,
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveCSS('color-scheme', colorScheme)
    await look(colorScheme)
  }
}
