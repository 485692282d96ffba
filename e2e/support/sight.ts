/** Looks at a page: keeps a picture, and finds what overflows and what keeps people out. */
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect } from '@playwright/test'
import type { Page, TestInfo } from '@playwright/test'

/** Where axe's own experience says that people are kept out. */
const serious = ['serious', 'critical']

/** @param kept Whether the picture is one of those that the project keeps. */
export async function expectFit(page: Page, name: string, info: TestInfo, kept = true): Promise<void> {
  const file = `${name}.png`.replaceAll(' ', '-').toLowerCase()
  const folder = kept && process.env.SCREENSHOTS
  const image = await page.screenshot({ ...(folder && { path: join(folder, file) }) })
  await info.attach(file, { body: image, contentType: 'image/png' })

  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow, 'horizontal overflow in px').toBeLessThanOrEqual(0)
  const { violations: barriers } = await new AxeBuilder({ page }).analyze()
  const found = barriers.filter(({ impact }) => serious.includes(impact ?? ''))
  expect(found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
}
