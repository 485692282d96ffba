/** Checks the appearance of a page: takes a picture, and finds overflow and barriers to accessibility. */
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect } from '@playwright/test'
import type { Page, TestInfo } from '@playwright/test'

/** The impacts at which, in axe's experience, people are kept out. */
const seriousImpacts = ['serious', 'critical']

/**
 * Axe checks the whole page in light mode on a desktop and on a phone; in dark mode, where nothing else differs, only contrast on a
 * desktop.
 * @param isFullyChecked Whether the width is one at which the project keeps a picture and axe runs.
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
 * Waits for a frame: right after a change of size Chromium may still lay out by the former width. Waits for transitions: after a
 * change of theme colours fade, and have too little contrast half-way.
 */
async function waitForStableLayout(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const fading = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    await Promise.allSettled(fading.map(({ finished }) => finished))
  })
}

/** Finds the innermost elements beyond the right edge, when the page is wider than its window. */
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

/** Takes no picture when nobody will look at it, because each costs as much as the checks. */
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
  // Axe's other mode opens a blank page each time to combine frames; our pages have none.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  if (isDark) axe.withRules(['color-contrast'])
  return (await axe.analyze()).violations
}

/** Waits until the page has applied each mode, which a script does. */
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
