/** [A6] A person sees that their space fills up before it hurts, and what to do once it is full. */
import { createSharedDocument, type SharedDocument } from '../../server/fixtures/shared-document.ts'
import { BrowserTestServer } from '../fixtures/browser-test-server.ts'
import { expectCleanPage } from '../fixtures/page-appearance.ts'
import { openWriter } from '../fixtures/document-writer.ts'
import { expect, test } from '../fixtures/test.ts'

/** Where this text lies no editor shows it, so the page stays quick. */
async function writeHiddenText(origin: string, document: SharedDocument, letters: number): Promise<void> {
  const writer = await openWriter(origin, document)
  writer.doc.getText('hidden').insert(0, 'x'.repeat(letters))
  await writer.whenSaved()
  await writer.close()
}

// The person's cookie is used from Node, too.
test.use({ scheme: 'http' })

test('a notice comes from 80 % on, a full space keeps what was written on the device, and deleting makes room @long', async ({
  page,
  scheme,
}, info) => {
  await using server = await BrowserTestServer.launch({ LIMIT_STORAGE_OF_PERSON: '1' })
  const origin = server.origin(scheme)
  await page.goto(origin)
  await expect(page.getByRole('list', { name: 'Documents' }).getByRole('listitem')).toHaveCount(1)
  await expect(page.getByText('Your space is almost full.')).toHaveCount(0)
  await page.goto(`${origin}/settings`)
  await expect(page.getByRole('meter', { name: 'Space' })).toHaveAttribute('max', '1')

  const cookie = (await page.context().cookies(origin))
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
  const document = await createSharedDocument(origin, { title: 'Large' }, cookie)
  await writeHiddenText(origin, document, 1_000_000)
  await page.goto(`${origin}/d/${document.id}`)
  const text = page.getByRole('textbox', { name: 'Document' })
  await text.click()
  await page.keyboard.insertText('word '.repeat(20_000))
  await expect(page.getByRole('paragraph').filter({ hasText: 'Your space is full: you use' })).toBeVisible()
  await expect(page.getByText('Keep writing: changes are saved on this device.')).toBeVisible()
  await expectCleanPage(page, 'editor full', info)

  await page.reload()
  const notice = page.getByRole('region', { name: 'Space' })
  await expect(notice.getByText('Your space is almost full.')).toBeVisible()
  await expectCleanPage(page, 'editor nearly full', info)
  await notice.getByRole('button', { name: 'Close' }).click()
  await expect(notice).toHaveCount(0)

  await page.goto(origin)
  await expect(page.getByText('Your space is almost full.')).toBeVisible()
  await expectCleanPage(page, 'list nearly full', info)
  for (const path of ['documents', 'trash'])
    expect(
      (await page.request.delete(`${origin}/api/${path}/${document.id}`, { headers: { origin } })).status(),
    ).toBe(204)
  await page.reload()
  await expect(page.getByText('Your space is almost full.')).toHaveCount(0)
})

test('History says that no versions are saved automatically while there is no space @long', async ({
  page,
  server,
  scheme,
}, info) => {
  await page.route('**/versions', (route) => route.fulfill({ json: { versions: [], hasRoom: false } }))
  await page.goto(`${server.origin(scheme)}/new`)
  await expect(page.getByRole('textbox', { name: 'Document' })).toBeVisible()
  await page.goto(`${page.url()}/p/history`)
  await expect(
    page.getByText('No versions are saved automatically, because there is no space left.'),
  ).toBeVisible()
  await expectCleanPage(page, 'history without space', info)
})

test('a new document without space is answered by a page that explains it @long', async ({
  page,
  scheme,
}, info) => {
  await using server = await BrowserTestServer.launch({ RESERVED_DISK: '999999999' })
  await page.goto(`${server.origin(scheme)}/new`)
  await expect(page.getByRole('heading', { name: 'The document was not made' })).toBeVisible()
  await expect(page.getByText('This server has no space left.')).toBeVisible()
  await expectCleanPage(page, 'no space for a new document', info)
  await page.getByRole('link', { name: 'Go to your documents' }).click()
  await expect(page.getByRole('heading', { name: 'Documents' })).toBeVisible()
})
