/** Another device of the same person is signed in by a code. */
import type { BrowserContext, Page } from '@playwright/test'
import { encode } from 'uqr'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

const phoneOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/** Asks for a code as a person does, and reads it from the screen: its squares must be those of exactly this address. */
async function readShownCode(page: Page): Promise<string> {
  await page.keyboard.press('ControlOrMeta+Shift+P')
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').fill('send another device')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: /^Send / })
  const ticketResponse = page.waitForResponse((response) => response.url().endsWith('/api/me/tickets'))
  await dialog.getByRole('button', { name: 'Show a code' }).click()
  const { ticket } = (await (await ticketResponse).json()) as { ticket: string }
  const address = `${new URL(page.url()).origin}${new URL(page.url()).pathname}#ticket=${ticket}`
  const squares = await dialog
    .getByRole('img', { name: /^QR code/ })
    .locator('path')
    .getAttribute('d')
  const darkSquares = encode(address, { border: 4 }).data.flat().filter(Boolean)
  expect(squares?.match(/M/g)).toHaveLength(darkSquares.length)
  return address
}

const readOwnName = async (context: BrowserContext, page: Page): Promise<string> => {
  const response = await context.request.get(`${new URL(page.url()).origin}/api/me`, {
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  return ((await response.json()) as { name: string }).name
}

test('[A3] a phone that scans the code is asked, and then shows the panel as the same person; the code is used up @long', async ({
  browser,
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const desk = await openWindow(document.url('editor'))
  await desk.typeAtEnd('Written at the desk.')
  await desk.page.goto(`${desk.page.url()}/p/outline`)
  await expect(desk.page.getByRole('region', { name: 'Outline' })).toBeVisible()
  const address = await readShownCode(desk.page)
  const person = await readOwnName(desk.page.context(), desk.page)

  await using context = await browser.newContext(phoneOptions)
  const page = await context.newPage()
  await page.goto(address)
  await expect(page.getByRole('heading', { name: `Continue as ${person} on this device?` })).toBeVisible()
  await expect.poll(() => page.url()).toBe(desk.page.url())
  const guest = await readOwnName(context, page)
  expect(guest).not.toBe(person)
  await expect(page.getByRole('button', { name: `Stay as ${guest}` })).toBeVisible()
  await page.getByRole('button', { name: `Continue as ${person}` }).click()
  await expect(page.getByRole('region', { name: 'Outline' })).toBeVisible()
  expect(await readOwnName(context, page)).toBe(person)
  await expect(desk.page.getByRole('dialog', { name: /^Send / })).toContainText('The code was used')

  await using another = await browser.newContext()
  const latePage = await another.newPage()
  await latePage.goto(address)
  await expect(latePage.getByRole('heading', { name: 'This code no longer works' })).toBeVisible()
  await latePage.getByRole('button', { name: /^Continue as / }).click()
  await expect(latePage.getByRole('heading', { name: 'There is no such document here' })).toBeVisible()
  expect(await readOwnName(another, latePage)).not.toBe(person)
})

test(
  'a person who declines keeps their name, and a share link signs in nobody',
  { tag: '@long' },
  async ({ browser, createDocument, openWindow }) => {
    const document = await createDocument()
    const desk = await openWindow(document.url('editor'))
    const person = await readOwnName(desk.page.context(), desk.page)
    const address = await readShownCode(desk.page)

    await using context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(address)
    await page.getByRole('button', { name: /^Stay as / }).click()
    await expect(page.getByRole('heading', { name: 'There is no such document here' })).toBeVisible()
    const guest = await readOwnName(context, page)
    expect(guest).not.toBe(person)

    await page.goto('about:blank')
    await page.goto(document.url('viewer'))
    await expect(page.getByRole('textbox', { name: 'Document' })).toBeVisible()
    expect(await readOwnName(context, page)).toBe(guest)
    await page.goto('about:blank')
    await page.goto(document.url('viewer').replace('#token=', '#ticket='))
    await expect(page.getByRole('heading', { name: 'This code no longer works' })).toBeVisible()
  },
)

test(
  '[A2] when a browser continues as somebody else, none of its windows goes on as the former person',
  { tag: '@long' },
  async ({ browser, createDocument, openWindow }) => {
    const document = await createDocument()
    const desk = await openWindow(document.url('editor'))
    const address = await readShownCode(desk.page)
    const person = await readOwnName(desk.page.context(), desk.page)

    await using context = await browser.newContext()
    const other = await context.newPage()
    await other.goto(document.url('editor'))
    await expectSaved(other)
    const people = other.getByRole('group', { name: 'People' })
    await expect(people.getByRole('button', { name: person, exact: true })).toBeVisible()

    const page = await context.newPage()
    await page.goto(address)
    await page.getByRole('button', { name: `Continue as ${person}` }).click()
    await expectSaved(page)
    await expect(people.getByRole('button')).toHaveCount(1)
    await expect(people.getByRole('button')).toHaveAccessibleName(`${person} (you), 3 windows`)
  },
)
