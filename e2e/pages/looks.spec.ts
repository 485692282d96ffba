import type { BrowserContext, Page } from '@playwright/test'
import type { CreateDocument } from '../fixtures/test.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'
import { expectCleanPage, forLightAndDark, withPageOfWidth } from '../fixtures/page-appearance.ts'

interface PageContext {
  readonly page: Page
  readonly context: BrowserContext
  readonly origin: string
  readonly createDocument: CreateDocument
}

const expectDocumentReady = async (page: Page) => {
  await expect(page.getByRole('textbox', { name: 'Document' })).toBeVisible()
  await expectSaved(page)
}

const openWelcomeDocument = async ({ page, origin }: PageContext) => {
  await page.goto(origin)
  await page.getByRole('list', { name: 'Documents' }).getByRole('link').first().click()
  await expectDocumentReady(page)
}

async function openTrash(page: Page): Promise<void> {
  const places = page.getByRole('button', { name: 'Show: All' })
  if (await places.isVisible()) await places.click()
  await page.getByRole('button', { name: 'Trash', exact: true }).click()
}

const openDialogNamed = (name: string) => async (pageContext: PageContext) => {
  await openWelcomeDocument(pageContext)
  await pageContext.page.getByRole('button', { name }).click()
  await expect(pageContext.page.getByRole('dialog', { name })).toBeVisible()
}

const pageStates: Record<string, (pageContext: PageContext) => Promise<void>> = {
  documents: async ({ page, origin }) => {
    await page.goto(origin)
    await expect(page.getByRole('list', { name: 'Documents' })).toBeVisible()
  },
  'documents as cards': async ({ page, origin }) => {
    await page.goto(origin)
    await page.getByRole('button', { name: 'Cards' }).click()
    await expect(page.getByRole('list', { name: 'Documents' })).toBeVisible()
  },
  trash: async ({ page, origin }) => {
    await page.goto(origin)
    const list = page.getByRole('list', { name: 'Documents' })
    await list.getByRole('button', { name: /^More for/ }).click()
    await page.getByRole('menuitem', { name: 'Move to trash' }).click()
    await openTrash(page)
    await expect(page.getByRole('list', { name: 'Trash' })).toBeVisible()
  },
  'empty trash': async ({ page, origin }) => {
    await page.goto(origin)
    await openTrash(page)
    await expect(page.getByText('The trash is empty.')).toBeVisible()
  },
  document: async (pageContext) => {
    await openWelcomeDocument(pageContext)
  },
  'empty document': async ({ page, origin }) => {
    await page.goto(`${origin}/new`)
    await expectDocumentReady(page)
  },
  'read-only document': async ({ page, createDocument }) => {
    await page.goto((await createDocument()).url('viewer'))
    await expectDocumentReady(page)
  },
  connection: openDialogNamed('Connection'),
  share: openDialogNamed('Share'),
  'missing document': async ({ page, origin }) => {
    await page.goto(`${origin}/d/AAAAAAAAAAAAAAAAAAAAAA`)
    await expect(page.getByRole('heading', { level: 1, name: 'There is no such document' })).toBeVisible()
  },
  'missing page': async ({ page, origin }) => {
    await page.goto(`${origin}/nowhere`)
    await expect(page.getByRole('heading', { level: 1, name: 'There is nothing' })).toBeVisible()
  },
}

for (const [name, openState] of Object.entries(pageStates)) {
  for (const width of [1440, 390]) {
    test(`${name}, ${width} px, light and dark`, ({ browser, server, scheme, createDocument }, info) =>
      withPageOfWidth(browser, width, async (page, context) => {
        await openState({ page, context, origin: server.origin(scheme), createDocument })
        await forLightAndDark(page, (colorScheme) =>
          expectCleanPage(page, `${name} ${colorScheme} ${width}`, info),
        )
      }))
  }
}
