/** Mentions of people and documents: found by @, shown by their present names to those who may know them, and harmless. */
import type { Page } from '@playwright/test'
import { XmlElement, XmlText } from 'yjs'
import { openWriter } from '../fixtures/document-writer.ts'
import { joinAs } from '../fixtures/join-as.ts'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'
import { dockPanels, panelOf } from '../fixtures/panels.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

const listIn = (page: Page) => page.getByRole('listbox', { name: 'People, documents and dates' })

const callApi = <Answer>(page: Page, method: string, path: string, body: object): Promise<Answer> =>
  page.evaluate(
    async ([how, where, content]) => {
      const answer = await fetch(`/api${where}`, {
        method: how,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(content),
      })
      return (await answer.json()) as never
    },
    [method, path, body] as const,
  )

test('a person is found by @, keeps the marks there, and is shown by their present name', async ({
  createDocument,
  openWindow,
}, info) => {
  const document = await createDocument()
  const [ada, bob] = [await openWindow(document.url('editor')), await openWindow(document.url('editor'))]
  await joinAs(ada, 'Ada Wren')
  await joinAs(bob, 'Bob Finch')
  await bob.text.click()
  await bob.page.keyboard.type('ask ')
  await bob.page.keyboard.press('ControlOrMeta+b')
  await bob.page.keyboard.type('@wr')
  await expect(listIn(bob.page).getByRole('option')).toHaveText([/^Ada Wren/])
  await expectCleanPage(bob.page, 'mention list', info)
  await bob.page.keyboard.press('Enter')
  await expect(bob.text).toBeFocused()
  await bob.page.keyboard.type('today')
  for (const { text } of [ada, bob]) {
    await expect(text.locator('strong .mention')).toHaveText('@Ada Wren')
    await expect(text.locator('p')).toContainText('ask @Ada Wren today')
  }
  await forLightAndDark(bob.page, (scheme) => expectCleanPage(bob.page, `mention ${scheme}`, info))
  await dockPanels(bob.page, 'Preview')
  await expect(panelOf(bob.page, 'Preview').locator('strong').getByRole('link')).toHaveText('@Ada Wren')

  await callApi(ada.page, 'PATCH', '/me', { name: 'Ada Lovelace' })
  await expect(bob.text.locator('.mention')).toHaveText('@Ada Lovelace')
  await expect(panelOf(bob.page, 'Preview').locator('.mention')).toHaveText('@Ada Lovelace')

  await bob.text.focus()
  for (let step = 0; step < 2; step++) await bob.page.keyboard.press('ControlOrMeta+z')
  await expect(ada.text.locator('.mention')).toHaveCount(0)
  await expect(bob.text.locator('p')).toContainText('ask @wr')
})

test('a mention that is alone in its line can be commented on @long', async ({
  server,
  scheme,
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const writer = await openWriter(server.origin(scheme), document)
  const [line, mention] = [new XmlElement('paragraph'), new XmlElement('mention')]
  for (const [key, value] of Object.entries({ kind: 'person', id: 'user:ada', label: 'Ada' }))
    mention.setAttribute(key, value)
  line.insert(0, [mention])
  writer.doc.getXmlFragment('default').insert(0, [line])
  await writer.whenSaved()
  await writer.close()
  const window = await openWindow(document.url('editor'))
  const { page, text } = window
  await expect(text.locator('.mention')).toHaveText('@Ada')
  await window.focusStart()
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('ControlOrMeta+Alt+m')
  await page.getByRole('textbox', { name: 'Comment' }).fill('Does she know?')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(text.locator('.comment-mark')).toHaveText('@Ada')
  await expectSaved(page)
  await page.reload()
  await expect(text.locator('.comment-mark')).toHaveText('@Ada')
})

test('a click on a person shows their caret, and says so where there is none @long', async ({
  longDocument,
  openWindow,
}) => {
  const [ada, bob] = [
    await openWindow(longDocument.url('editor')),
    await openWindow(longDocument.url('editor')),
  ]
  await joinAs(ada, 'Ada Wren')
  await bob.focusStart()
  await bob.page.keyboard.type('@ada')
  await expect(listIn(bob.page).getByRole('option')).toHaveText([/^Ada Wren/])
  await bob.page.keyboard.press('Enter')
  await expect(ada.text.locator('.mention')).toHaveText('@Ada Wren')
  await ada.focusEnd()
  await ada.page.keyboard.type('here')
  await expect(bob.text.locator('p').last()).toContainText('here')
  for (let step = 0; step < 2; step++) await bob.page.keyboard.press('ArrowLeft')
  await bob.page.keyboard.press('Enter')
  await expect(bob.text.locator('p').last()).toBeInViewport()
  await ada.close()
  await expect(bob.people).toHaveCount(1)
  await bob.text.locator('.mention').click()
  await expect(bob.page.getByText('Ada Wren is not in the text now.')).toBeVisible()
})

test('a document is found by its title, opens, and tells its present title to those who may open it alone @long', async ({
  createDocument,
  openWindow,
}, info) => {
  const document = await createDocument()
  const [ada, bob] = [await openWindow(document.url('viewer')), await openWindow(document.url('editor'))]
  const { id } = await callApi<{ id: string }>(bob.page, 'POST', '/documents', { title: 'Plan of 2027' })
  const queries: string[] = []
  bob.page.on('request', (request) => {
    if (request.url().includes('/api/documents?')) queries.push(request.url())
  })
  await bob.text.click()
  await bob.page.keyboard.type('see @plan of')
  await expect(listIn(bob.page).getByRole('option')).toHaveText([/^Plan of 2027/])
  expect(queries.length).toBeLessThanOrEqual(2)
  await bob.page.keyboard.press('Enter')
  for (const { text } of [ada, bob]) await expect(text.locator('.mention')).toHaveText('Plan of 2027')
  await forLightAndDark(bob.page, (scheme) => expectCleanPage(bob.page, `document mention ${scheme}`, info))
  await expectSaved(bob.page)
  const { width, height } = bob.page.viewportSize()!
  await bob.page.setViewportSize({ width: 390, height: 844 })
  await bob.page.keyboard.type('and @')
  await expect(listIn(bob.page).getByRole('option').first()).toBeInViewport({ ratio: 1 })
  await expectCleanPage(bob.page, 'mention list 390', info)
  await bob.page.keyboard.press('Escape')
  await bob.page.setViewportSize({ width, height })

  await callApi(bob.page, 'PATCH', `/documents/${id}`, { title: 'Plan of 2028' })
  await Promise.all([ada, bob].map(({ page }) => page.reload()))
  await expect(bob.text.locator('.mention')).toHaveText('Plan of 2028')
  await expect(ada.text.locator('.mention')).toHaveText('Plan of 2027')
  const [opened] = await Promise.all([
    bob.page.context().waitForEvent('page'),
    bob.text.getByRole('link', { name: 'Plan of 2028' }).click(),
  ])
  await expect(opened).toHaveURL(new RegExp(`/d/${id}$`))

  await ada.text.focus()
  await ada.page.keyboard.press('Tab')
  await expect(ada.text.locator('.mention')).toBeFocused()
})

test('without the server it offers the people who are here, days, and documents of this device @long', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const [ada, bob] = [await openWindow(document.url('editor')), await openWindow(document.url('editor'))]
  await joinAs(ada, 'Ada Wren')
  await bob.page.route('**/api/**', (route) => route.abort())
  await bob.text.click()
  await bob.page.keyboard.type('@')
  await expect(listIn(bob.page).getByRole('option', { name: 'Ada Wren' })).toBeVisible()
  await expect(listIn(bob.page).getByRole('option', { name: 'Today' })).toBeVisible()
  await bob.page.keyboard.press('Enter')
  await expect(ada.text.locator('.mention')).toHaveText('@Ada Wren')
})

test('[A6] ids and labels of another program lead nowhere, and the server is asked for few of them @long', async ({
  server,
  scheme,
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const writer = await openWriter(server.origin(scheme), document)
  const mention = (attributes: Readonly<Record<string, unknown>>): XmlElement => {
    const element = new XmlElement('mention')
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value as string)
    return element
  }
  const hostile = [
    { id: 'javascript:alert(1)', label: '<img src=x onerror=alert(1)>' },
    { kind: 'document', id: '../../api/me', label: 'x'.repeat(60_000) },
    { kind: 'document', id: 'https://example.org', label: 7 },
    { kind: ['document'], id: { toString: 'x' }, label: '\u202Eevil\n\n' },
    {},
  ].map(mention)
  const many = Array.from({ length: 700 }, (_, n) =>
    mention({ kind: 'document', id: `${String(n).padStart(21, 'A')}A`, label: `${n}` }),
  )
  const line = new XmlElement('paragraph')
  line.insert(0, [...hostile, ...many, new XmlText(' after')])
  writer.doc.getXmlFragment('default').insert(0, [line])
  await writer.whenSaved()
  await writer.close()

  const requests: string[] = []
  const { page, text } = await openWindow('about:blank', { ready: false })
  page.on('request', (request) => {
    if (request.url().includes('/api/documents?ids=')) requests.push(request.url())
  })
  await page.goto(document.url('editor'))
  const mentions = text.locator('.mention')
  await expect(mentions).toHaveCount(705)
  await expect(mentions.first()).toHaveText('@<img src=x onerror=alert(1)>')
  await expect(mentions.nth(1)).toHaveText('x'.repeat(100))
  await expect(text.locator('img:not(.ProseMirror-separator), a')).toHaveCount(0)
  for (let at = 0; at < 5; at++) await expect(mentions.nth(at)).not.toHaveAttribute('role')
  await expect.poll(() => requests.length).toBe(10)
  await text.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' all')
  await expect(text).toContainText('after')
  await expectSaved(page)
  expect(requests).toHaveLength(10)
})
