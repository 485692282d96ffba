/**
 * Limits the script that a page loads before anybody touches it: all files, as the server sends them to a browser with an empty cache,
 * in kB of 1,000 bytes. docs/PERFORMANCE.md says what they are made of; `npx next analyze` shows it.
 */
import type { Page } from '@playwright/test'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

const DOCUMENTS_LIMIT_KB = 170
const EDITOR_LIMIT_KB = 355

const NAMED_FILES = 5

test.use({ scheme: 'https' })

test('the list of documents loads little script', async ({ page, server, scheme }) => {
  await page.goto(server.origin(scheme))
  await expect(page.getByRole('list', { name: 'Documents' }).getByRole('listitem')).toHaveCount(1)
  await expectScriptSize(page, 'The list of documents', DOCUMENTS_LIMIT_KB)
})

test('a document loads little script', async ({ page, server, scheme }) => {
  const origin = server.origin(scheme)
  const created = await page.request.post(`${origin}/api/documents`, { data: {}, headers: { origin } })
  const { id } = (await created.json()) as { readonly id: string }
  await page.goto(`${origin}/d/${id}`)
  await expect(page.getByRole('textbox', { name: 'Document' })).toBeEditable()
  await expectSaved(page)
  await expectScriptSize(page, 'A document', EDITOR_LIMIT_KB)
})

async function expectScriptSize(page: Page, name: string, limitKb: number): Promise<void> {
  await page.waitForLoadState('networkidle')
  const files = await page.evaluate(listScripts)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const biggest = files.toSorted((a, b) => b.bytes - a.bytes).slice(0, NAMED_FILES)
  const named = biggest.map((file) => `${file.path} ${inKb(file.bytes)}`).join(', ')
  const sentence = `${name} loads ${inKb(bytes)} of script in ${files.length} files; the limit is ${limitKb} kB. The biggest: ${named}`
  test.info().annotations.push({ type: 'size', description: sentence })
  expect(files.length, sentence).toBeGreaterThan(0)
  expect(bytes / 1000, sentence).toBeLessThanOrEqual(limitKb)
}

const inKb = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

/** Runs in the page. A file that is preloaded and then run has two entries. */
function listScripts(): { readonly path: string; readonly bytes: number }[] {
  const bytes = new Map<string, number>()
  for (const { name, encodedBodySize } of performance.getEntriesByType(
    'resource',
  ) as PerformanceResourceTiming[]) {
    const { pathname } = new URL(name)
    if (pathname.endsWith('.js')) bytes.set(pathname, Math.max(encodedBodySize, bytes.get(pathname) ?? 0))
  }
  return [...bytes].map(([path, size]) => ({ path, bytes: size }))
}
