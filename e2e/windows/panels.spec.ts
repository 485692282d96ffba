/** Each panel is a page of its own: it opens cold by its address, at any width, with the rights of the person who opens it. */
import { panelIds, panelPath } from '../../lib/windows/panels.ts'
import { expect, test } from '../fixtures/test.ts'
import { expectLinesIn } from '../fixtures/document-text.ts'
import { dockPanels, panelOf } from '../fixtures/panels.ts'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'
import { expectSaved } from '../fixtures/save-state.ts'

const panelNames: Readonly<Record<(typeof panelIds)[number], string>> = {
  outline: 'Outline',
  preview: 'Preview',
  comments: 'Comments',
  history: 'History',
  proposals: 'Proposals',
  people: 'People',
  backlinks: 'Backlinks',
  find: 'Find',
  statistics: 'Statistics',
  connection: 'Connection inspector',
  editor: 'Second editor',
}

const screenshotWidths = ['390', '1440']

const sizes = { 320: 640, 390: 844, 1440: 900, 3000: 1200 } as const

for (const id of panelIds)
  test(
    `[W1] ${panelNames[id]} opens cold by its address: 320 to 3,000 px, light and dark`,
    { tag: '@long' },
    async ({ browser, server, scheme }, info) => {
      test.slow()
      const context = await browser.newContext()
      const page = await context.newPage()
      const pageErrors: string[] = []
      page.on('pageerror', (error) => pageErrors.push(String(error)))
      await page.goto(server.origin(scheme))
      const list = page.getByRole('list', { name: 'Documents' })
      const path = new URL((await list.getByRole('link').first().getAttribute('href'))!, page.url()).pathname
      await page.goto(new URL(panelPath(path.split('/')[2]!, id), page.url()).href)
      await expect(panelOf(page, panelNames[id])).toBeVisible()
      await expectSaved(page)
      await expect(page).toHaveTitle(`${panelNames[id]} – Welcome to Diptych`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        `${panelNames[id]} of Welcome to Diptych`,
      )
      expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
      expect(await page.evaluate(() => window.opener as unknown)).toBeNull()
      for (const [width, height] of Object.entries(sizes)) {
        await page.setViewportSize({ width: Number(width), height })
        await forLightAndDark(page, (colorScheme) =>
          expectCleanPage(
            page,
            `panel ${panelNames[id]} ${colorScheme} ${width}`,
            info,
            screenshotWidths.includes(width),
          ),
        )
      }
      expect(pageErrors).toEqual([])
      await context.close()
    },
  )

test(
  'docked panels are accessible, in light and dark',
  { tag: '@long' },
  async ({ createDocument, openWindow }, info) => {
    test.slow()
    const { page } = await openWindow((await createDocument()).url('editor'))
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('textbox', { name: 'Title' }).fill('Budget plan')
    await page.getByRole('textbox', { name: 'Document' }).focus()
    await page.keyboard.type('## What we have\nA little.\n')
    await page.getByRole('button', { name: 'Not now' }).click()
    const expectCleanDock = async (name: string) => {
      // The last menu item lay over the handle beside the column.
      await page.mouse.move(0, 0)
      await forLightAndDark(page, (scheme) => expectCleanPage(page, `docked ${name} ${scheme} 1440`, info))
    }
    await dockPanels(page, 'Outline', 'Find', 'Comments', 'Statistics', 'People')
    await expect(panelOf(page, 'People').getByText('Loading')).toBeHidden()
    await expectCleanDock('panels')
    for (const name of ['Outline', 'Find', 'Comments', 'Statistics', 'People'])
      await panelOf(page, name).getByRole('button', { name: 'Close', exact: true }).click()
    await dockPanels(page, 'Preview', 'History', 'Connection inspector')
    await expectCleanDock('more panels')
    for (const name of ['Preview', 'History', 'Connection inspector'])
      await panelOf(page, name).getByRole('button', { name: 'Close', exact: true }).click()
    await dockPanels(page, 'Second editor')
    await expectCleanDock('second editor')
  },
)

test('an unknown panel: a clear page that lists those there are @long', async ({
  editorWindow: { page },
}) => {
  await page.goto(`${page.url()}/p/minimap`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no such panel')
  await page.getByRole('list', { name: 'Panels' }).getByRole('link', { name: 'Statistics' }).click()
  await expect(panelOf(page, 'Statistics')).toBeVisible()
})

test('a document that is not shared with a person shows none of its panels', async ({
  browser,
  createDocument,
}) => {
  const { id, url } = await createDocument()
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(new URL(panelPath(id, 'preview'), url('viewer')).href)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no such document here')
  await page.goto(new URL('/d/nonsense/p/preview', url('viewer')).href)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no such document here')
  await context.close()
})

test('[A4] a view-only link opens every panel, and none of them can change the text @long', async ({
  browser,
  createDocument,
  openWindow,
}) => {
  const { id, url, tokens } = await createDocument()
  const writer = await openWindow(url('editor'))
  await writer.typeAtEnd('as it is')
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${new URL(panelPath(id, 'editor'), url('viewer')).href}#token=${tokens.viewer}`)
  const text = panelOf(page, 'Second editor').getByRole('textbox', { name: 'Document' })
  await expectLinesIn(page, 'as it is')
  await expect(text).toHaveAttribute('aria-readonly', 'true')
  await expect(panelOf(page, 'Second editor')).toContainText('View only')
  expect(page.url()).not.toContain(tokens.viewer)
  for (const panel of ['find', 'history', 'comments', 'outline'] as const) {
    await page.goto(new URL(panelPath(id, panel), url('viewer')).href)
    await expect(panelOf(page, panelNames[panel])).toBeVisible()
    await expect(page.getByRole('button', { name: /^(Replace|Restore|Comment|Reply)/ })).toHaveCount(0)
  }
  await context.close()
})
