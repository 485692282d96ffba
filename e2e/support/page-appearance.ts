/** Looks at a page: keeps a picture, and finds what overflows and what keeps people out. */
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect } from '@playwright/test'
import type { Page, TestInfo } from '@playwright/test'

/** Where axe's own experience says that people are kept out. */
const seriousImpacts = ['serious', 'critical']

/**
 * Axe looks at all of a page in light, once on a desk and once on a phone; in dark, where nothing else differs, at contrast on a desk.
 * @param isFullyChecked Whether the width is one of those at which the project keeps a picture, and axe looks.
 */
export async function expectCleanPage(
  page: Page,
  name: string,
  info: TestInfo,
  isFullyChecked = true,
): Promise<void> {
  await waitForStableLayout(page)
  await attachScreenshot(page, `${name}.png`.replaceAll(' ', '-').toLowerCase(), info, isFullyChecked)
  expect(await findOverflow(page), 'what sticks out of the page').toEqual([])
  if (!isFullyChecked) return
  const violations = (await findAccessibilityViolations(page)).filter(({ impact }) =>
    seriousImpacts.includes(impact ?? ''),
  )
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
}

/**
 * Right after a change of size Chromium may still lay out by the former width: a painted frame is by the new one. With a change of theme
 * colours fade, and have too little contrast half-way.
 */
async function waitForStableLayout(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const fading = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    await Promise.allSettled(fading.map(({ finished }) => finished))
  })
}

/** The innermost elements beyond the right edge, where the page is wider than its window. */
const findOverflow = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const isBeyondEdge = (element: Element) => element.getBoundingClientRect().right > clientWidth
    const innermost = [...document.querySelectorAll('body *')].filter(
      (element) => isBeyondEdge(element) && ![...element.children].some(isBeyondEdge),
    )
    return [
      `${scrollWidth} px wide in ${clientWidth}:`,
      ...innermost.map(({ outerHTML }) => outerHTML.slice(0, 300)),
    ]
  })

/** Where nobody looks at the report's pictures none is taken: each costs as much as the looking. */
async function attachScreenshot(
  page: Page,
  file: string,
  info: TestInfo,
  isFullyChecked: boolean,
): Promise<void> {
  const folder = isFullyChecked && process.env.SCREENSHOTS
  if (!folder && !info.config.reporter.some(([reporter]) => reporter === 'html')) return
  const image = await page.screenshot({ ...(folder && { path: join(folder, file) }) })
  await info.attach(file, { body: image, contentType: 'image/png' })
}

async function findAccessibilityViolations(page: Page) {
  const isDark = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme === 'dark')
  const isPhone = (page.viewportSize()?.width ?? 0) < 500
  if (isDark && isPhone) return []
  // Axe's other mode opens a blank page each time to put frames together: ours have none.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  if (isDark) axe.withRules(['color-contrast'])
  return (await axe.analyze()).violations
}

/** Waits until the page has taken each of them on, which it does by a script. */
export async function forLightAndDark(
  page: Page,
  check: (colorScheme: 'light' | 'dark') => Promise<void>,
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveCSS('color-scheme', colorScheme)
    await check(colorScheme)
  }
}
