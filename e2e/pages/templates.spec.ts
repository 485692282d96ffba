import type { Page } from '@playwright/test'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

const titleOf = (page: Page) => page.getByRole('textbox', { name: 'Title' })
const textOf = (page: Page) => page.getByRole('textbox', { name: 'Document' })
const linksOf = (page: Page) => page.getByRole('list', { name: 'Documents' }).getByRole('link')
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'New from template' })

async function openTemplates(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New from template' }).click()
  await expect(dialogOf(page)).toBeVisible()
}

async function markAsTemplate(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${title}`, exact: true }).click()
  await page.getByRole('menuitem', { name: 'Use as template' }).click()
}

test('a document begins with a template for everybody, and with one of one’s own', async ({
  page,
  server,
  scheme,
}, info) => {
  const origin = server.origin(scheme)
  await page.goto(origin)
  await expect(linksOf(page)).toHaveCount(1)
  await openTemplates(page)
  await expect(dialogOf(page).getByText('You have none yet.')).toBeVisible()
  await forLightAndDark(page, (colours) => expectCleanPage(page, `templates-${colours}`, info))
  await dialogOf(page)
    .getByRole('button', { name: /^Meeting notes/ })
    .click()
  await expect(titleOf(page)).toHaveValue('Meeting notes')
  await expect(textOf(page).getByRole('heading')).toHaveText(['Agenda', 'Notes', 'Decisions', 'To do'])
  await titleOf(page).fill('Our meetings')
  await expectSaved(page)

  await page.goto(origin)
  await markAsTemplate(page, 'Our meetings')
  await openTemplates(page)
  await dialogOf(page)
    .getByRole('button', { name: /^Our meetings/ })
    .click()
  await expect(titleOf(page)).toHaveValue('Our meetings')
  await expect(textOf(page).getByRole('heading')).toHaveCount(4)
  await textOf(page).press('ControlOrMeta+a')
  await page.keyboard.type('Changed')
  await expectSaved(page)
  await page.goto(origin)
  await expect(linksOf(page)).toHaveText(['Our meetings', 'Our meetings', 'Welcome to Diptych'])
  await page.getByRole('group', { name: 'Show' }).getByRole('button', { name: 'Templates' }).click()
  await linksOf(page).click()
  await expect(textOf(page).getByRole('heading')).toHaveCount(4)
})

test('a template that is gone meanwhile is named, and nothing is made @long', async ({
  page,
  server,
  scheme,
}) => {
  const origin = server.origin(scheme)
  await page.goto(origin)
  await expect(linksOf(page)).toHaveCount(1)
  await markAsTemplate(page, 'Welcome to Diptych')
  const id = (await linksOf(page).getAttribute('href'))!.split('/').at(-1)
  await openTemplates(page)
  await expect(dialogOf(page).getByRole('list', { name: 'Your templates' })).toContainText('Welcome')
  await page.request.delete(`${origin}/api/documents/${id}`, { headers: { origin } })
  await dialogOf(page)
    .getByRole('button', { name: /^Welcome/ })
    .click()
  await expect(page.getByText('The template “Welcome to Diptych” is gone')).toBeVisible()
  await expect(dialogOf(page).getByText('You have none yet.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('No documents yet.')).toBeVisible()
})
