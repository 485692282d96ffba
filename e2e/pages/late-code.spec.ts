/** Menus and forms load their code when somebody needs it: nothing done meanwhile is lost, and a failure is shown. */
import type { Locator, Page, Request } from '@playwright/test'
import { XmlElement, type XmlText } from 'yjs'
import { positionHashOf } from '../../lib/following/position-link.ts'
import { startPositionOf } from '../../lib/following/text-position.ts'
import { createTextBlock, openWriter } from '../fixtures/document-writer.ts'
import { holdScripts } from '../fixtures/hold-scripts.ts'
import { pasteInto } from '../fixtures/paste.ts'
import { expect, test } from '../fixtures/test.ts'

const isScript = (request: Request): boolean => request.url().includes('/_next/static/')

/** Counts the scripts that are on their way from now on. Those of one piece of late code are requested together. */
function trackScripts(page: Page): { readonly count: number } {
  const requests = new Set<Request>()
  page.on('request', (request) => isScript(request) && requests.add(request))
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => requests.delete(request))
  return {
    get count() {
      return requests.size
    },
  }
}

async function typeAndSelect(text: Locator, words: string): Promise<void> {
  await text.click()
  await text.page().keyboard.type(words)
  await text.page().keyboard.press('Shift+Home')
}

test('an address typed while the form of a link is on its way makes the link', async ({
  editorWindow: { page, text },
}) => {
  await typeAndSelect(text, 'site')
  const releaseScripts = await holdScripts(page)
  await page.getByRole('button', { name: 'Link', exact: true }).click()
  await page.keyboard.type('example.org')
  await page.keyboard.press('Enter')
  await releaseScripts()
  await expect(text.getByRole('link', { name: 'site' })).toHaveAttribute('href', 'https://example.org')
  await expect(text).toHaveText('site')
})

test('a comment begun while its form is on its way goes on in the form @long', async ({
  editorWindow: { page, text },
}) => {
  await typeAndSelect(text, 'words')
  const releaseScripts = await holdScripts(page)
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.keyboard.type('One')
  await page.keyboard.press('Enter')
  await releaseScripts()
  const message = page.getByRole('dialog', { name: 'Comment' }).getByRole('textbox', { name: 'Comment' })
  await expect(message).toBeFocused()
  await page.keyboard.type('two')
  await expect(message).toHaveValue('One\ntwo')
  await expect(text).toHaveText('words')
})

for (const place of ['contents', 'link'] as const)
  test(`a place that is clicked before the code that goes there has loaded is shown afterwards, in the same tab: ${place}`, async ({
    server,
    scheme,
    longDocument,
    openWindow,
  }) => {
    const name = 'Section 12'
    const writer = await openWriter(server.origin(scheme), longDocument)
    const body = writer.doc.getXmlFragment('default')
    if (place === 'contents') body.insert(0, [new XmlElement('tableOfContents')])
    else {
      const target = body.toArray().find((block) => block.toJSON().includes(`>${name}<`)) as XmlElement
      const href = `${server.origin(scheme)}/d/${longDocument.id}${positionHashOf(startPositionOf(target), name)}`
      const line = createTextBlock('paragraph', name)
      body.insert(0, [line])
      ;(line.get(0) as XmlText).format(0, name.length, { link: { href } })
    }
    await writer.whenSaved()
    // Somebody else who is there would make a window load that code at once.
    await writer.close()
    const { page, text } = await openWindow(longDocument.url('viewer'))
    const link = text.getByRole('link', { name, exact: true })
    await expect(link).toBeVisible()
    const releaseScripts = await holdScripts(page)
    await link.click()
    const heading = text.getByRole('heading', { name, exact: true })
    await expect(heading).not.toBeInViewport()
    await releaseScripts()
    await expect(heading).toBeInViewport()
    expect(page.context().pages()).toHaveLength(1)
  })

test('a section that is moved before the code for it has loaded moves afterwards @long', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  await page.keyboard.press('ControlOrMeta+Shift+P')
  await expect(page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox')).toBeFocused()
  await page.keyboard.press('Escape')
  const releaseScripts = await holdScripts(page)
  await page.keyboard.type('# One\nfirst\n# Two\nsecond')
  const headings = text.getByRole('heading')
  await expect(headings).toHaveText(['One', 'Two'])
  await page.keyboard.press('ControlOrMeta+Shift+P')
  await page.keyboard.type('move section up')
  await page.keyboard.press('Enter')
  await expect(text).toBeFocused()
  await releaseScripts()
  await expect(headings).toHaveText(['Two', 'One'])
})

test('a paste that is quicker than its code is pasted when that has loaded', async ({
  editorWindow: { page, text },
}) => {
  const releaseScripts = await holdScripts(page)
  await text.click()
  await pasteInto(text, { 'text/plain': '# Costs\n\n- [ ] rent' })
  await expect(text).toHaveText('')
  await releaseScripts()
  await expect(text.getByRole('heading', { name: 'Costs' })).toBeVisible()
  await expect(text.getByRole('checkbox')).toHaveCount(1)
})

test('an address becomes a link once the list of domains has loaded, and a full one before that @long', async ({
  editorWindow: { page, text },
}) => {
  const releaseScripts = await holdScripts(page)
  await text.click()
  await page.keyboard.type('https://example.org ')
  await expect(text.getByRole('link', { name: 'https://example.org' })).toBeVisible()
  await releaseScripts()
  // Nothing shows that the list has loaded, so addresses are typed until one is known.
  await expect(async () => {
    await page.keyboard.type('example.com ')
    await expect(text.getByRole('link', { name: 'example.com' }).first()).toBeVisible({ timeout: 500 })
  }).toPass()
})

test('a form that does not load says so, and what is typed then goes into the text @long', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  await page.keyboard.type('one')
  // The code that shows such messages is loaded late, too.
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(page.getByText('Select the words that the comment is about.')).toBeVisible()
  await page.route('**/_next/static/**', (route) => route.abort())
  await page.getByRole('button', { name: 'Link', exact: true }).click()
  await expect(page.getByText('This did not load. Check your connection and try again.')).toBeVisible()
  await page.keyboard.type(' two')
  await expect(text).toHaveText('one two')
})

test('a message is shown though the code for messages does not load, and by that code once it does @long', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  await page.route('**/_next/static/**', (route) => route.abort())
  const comment = page.getByRole('button', { name: 'Comment', exact: true })
  const message = page.getByText('Select the words that the comment is about.')
  await comment.click()
  await expect(message).toBeVisible()
  await expect(page.getByRole('region', { name: /Notifications/ })).toHaveCount(0)
  await page.unroute('**/_next/static/**')
  await comment.click()
  await expect(
    page.getByRole('region', { name: /Notifications/ }).getByText(await message.first().innerText()),
  ).toBeVisible()
})

test('without a service worker, a window changes its transport though the server no longer has its scripts @long', async ({
  editorWindow: window,
}) => {
  const { page } = window
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'))
  const address = page.url()
  // The page is left, so that the scripts that it loads ahead are not taken for those of the next one.
  await page.goto('about:blank')
  const scripts = trackScripts(page)
  // Only the code of server-sent events asks for these words.
  const loadedAhead = page.waitForResponse(
    async (response) =>
      response.url().endsWith('.js') && (await response.text()).includes('details.noTicket'),
  )
  await page.goto(address)
  await window.expectReady()
  await loadedAhead
  await window.withConnectionDialog((dialog) => expect(dialog).toBeVisible())
  await expect.poll(() => scripts.count).toBe(0)
  await page.route('**/_next/static/**', (route) => route.abort())
  await window.chooseTransport('sse')
})

test.describe('without its server', () => {
  test.use({ serviceWorkers: 'allow' })

  test.afterEach(async ({ server }) => {
    await server.kill()
    await server.start()
  })

  test('a document still opens what it never opened before: a menu, a form, a dialog, a panel @long', async ({
    server,
    editorWindow: { page, text, connection },
  }) => {
    await text.click()
    await page.keyboard.type('words')
    await page.evaluate(() => navigator.serviceWorker.ready)
    await server.kill()
    await page.getByRole('button', { name: 'Paragraph style' }).click()
    await page.getByRole('menuitemradio', { name: 'Heading 1' }).click()
    await expect(text.getByRole('heading', { name: 'words' })).toBeVisible()
    await page.getByRole('button', { name: 'Link', exact: true }).click()
    await expect(page.getByRole('dialog', { name: 'Link' })).toBeVisible()
    await page.keyboard.press('Escape')
    await connection.click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('ControlOrMeta+F')
    await expect(page.getByRole('searchbox')).toBeFocused()
  })
})
