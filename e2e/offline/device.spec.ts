import { crashPage } from '../fixtures/crash-page.ts'
import { expectStoredOnDevice } from '../fixtures/device-storage.ts'
import { propose } from '../fixtures/propose.ts'
import { expect, test } from '../fixtures/test.ts'
import { expectSameLines } from '../fixtures/document-window.ts'
import { RECONNECT_WAIT } from '../fixtures/save-state.ts'

test.use({ serviceWorkers: 'allow' })

test.afterEach(async ({ server }) => {
  await server.kill()
  await server.start()
})

test('[D6] without its server a document is saved on this device, opens from there, and is sent later', async ({
  context,
  server,
  scheme,
  createDocument,
  openWindow,
  openWindowIn,
}) => {
  const document = await createDocument()
  const address = `${server.origin(scheme)}/d/${document.id}`
  const firstWindow = await openWindowIn(context, document.url('editor'))
  await firstWindow.typeAtEnd('Before, ')
  await expect(firstWindow.saveState).toHaveText('Saved')
  await expectStoredOnDevice(firstWindow.page, document.id)

  await server.kill()
  await firstWindow.type('without a server, ')
  await expect(firstWindow.saveState).toHaveText('Saved on this device')
  const dialogs: string[] = []
  firstWindow.page.on('dialog', (dialog) => dialogs.push(dialog.type()))
  const closed = firstWindow.page.waitForEvent('close')
  await firstWindow.page.close({ runBeforeUnload: true })
  await closed
  expect(dialogs).toEqual([])

  const secondWindow = await openWindowIn(context, address, { ready: false })
  await secondWindow.expectLines('Before, without a server, ')
  await expect(secondWindow.saveState).toHaveText('Saved on this device')
  await secondWindow.typeAtEnd('after reopening.')
  await expect(secondWindow.saveState).toHaveText('Saved on this device')

  await server.start()
  await expect(secondWindow.saveState).toHaveText('Saved', RECONNECT_WAIT)
  const otherWindow = await openWindow(document.url('editor'))
  await expectSameLines(
    [secondWindow, otherWindow],
    'Before, without a server, after reopening.',
    RECONNECT_WAIT,
  )
})

test('a proposal that is opened without its server says what it is for', async ({
  context,
  server,
  scheme,
  createDocument,
  openWindowIn,
}) => {
  const document = await createDocument()
  const first = await openWindowIn(context, document.url('editor'))
  await first.typeAtEnd('One.')
  await expect(first.saveState).toHaveText('Saved')
  await propose(first)
  await first.typeAtEnd(' Two.')
  await expect(first.saveState).toHaveText('Saved')
  const address = new URL(first.page.url())
  await expectStoredOnDevice(first.page, address.pathname.split('/').at(-1)!)
  await first.page.close()
  await server.kill()

  const second = await openWindowIn(context, `${server.origin(scheme)}${address.pathname}`, { ready: false })
  await second.expectLines('One. Two.')
  await expect(second.page.getByRole('region', { name: 'Proposal', exact: true })).toContainText(
    'Proposal for',
  )
  await expect(second.page).toHaveTitle(/^Proposal: /)
})

test('without its server the list has the folders and favourites that this device saw last', async ({
  context,
  server,
  scheme,
  createDocument,
  openWindowIn,
}) => {
  const origin = server.origin(scheme)
  const titles = ['In a folder', 'A favourite', 'Elsewhere']
  for (const title of titles) {
    const document = await createDocument()
    const window = await openWindowIn(context, document.url('editor'))
    await window.page.getByRole('textbox', { name: 'Title' }).fill(title)
    await expect(window.saveState).toHaveText('Saved')
    await expectStoredOnDevice(window.page, document.id, Date.now())
    await window.page.close()
  }
  const page = await context.newPage()
  await page.goto(origin)
  const links = page.getByRole('list', { name: 'Documents' }).getByRole('link')
  const folder = page.getByRole('treeitem', { name: 'Work', exact: true })
  await page.getByRole('button', { name: 'New folder' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Work')
  await page.keyboard.press('Enter')
  await page.getByRole('listitem').filter({ hasText: 'In a folder' }).dragTo(folder)
  await expect(page.getByText('“In a folder” is in “Work” now.')).toBeVisible()
  const star = page.getByRole('button', { name: 'Favourite: A favourite', pressed: false })
  await star.click()
  await expect(page.getByRole('button', { name: 'Favourite: A favourite', pressed: true })).toBeVisible()

  await server.kill()
  await page.reload()
  await expect(page.getByText('These documents are on this device')).toBeVisible()
  await expect(links).toHaveCount(titles.length)
  await folder.click()
  await expect(links).toHaveText(['In a folder'])
  await page.getByRole('button', { name: 'Favourites', exact: true }).click()
  await expect(links).toHaveText(['A favourite'])
  await page.getByRole('button', { name: 'Recent', exact: true }).click()
  await expect(links).toHaveText(['Elsewhere', 'A favourite', 'In a folder'])
  await page.getByRole('button', { name: 'Templates', exact: true }).click()
  await expect(page.getByText('Nothing of this list is on this device.')).toBeVisible()
})

test('[D6] what a killed window could not send is sent when the list of documents is opened @long', async ({
  context,
  server,
  scheme,
  createDocument,
  openWindow,
  openWindowIn,
}) => {
  const document = await createDocument()
  const window = await openWindowIn(context, document.url('editor'))
  await window.typeAtEnd('Sent. ')
  await expect(window.saveState).toHaveText('Saved')
  await expectStoredOnDevice(window.page, document.id)
  await server.kill()
  await window.type('Not sent.')
  await expect(window.saveState).toHaveText('Saved on this device')
  await crashPage(window.page)

  await server.start()
  const list = await context.newPage()
  await list.goto(server.origin(scheme))
  await expect(list.getByText(/\d+ changes? from an earlier visit (was|were) sent\./)).toBeVisible(
    RECONNECT_WAIT,
  )
  const otherWindow = await openWindow(document.url('viewer'))
  await expectSameLines([otherWindow], 'Sent. Not sent.')
})

test(
  '[D6] when the window that keeps the copy is killed, another one keeps it',
  { tag: '@long' },
  async ({ context, createDocument, openWindowIn }) => {
    const document = await createDocument()
    const keeperWindow = await openWindowIn(context, document.url('editor'))
    await expectStoredOnDevice(keeperWindow.page, document.id)
    const nextWindow = await openWindowIn(context, document.url('editor'))
    const lock = `keeper:${document.id}:body`
    const countLocksOfNext = () =>
      nextWindow.page.evaluate(async (name) => {
        const { held = [], pending = [] } = await navigator.locks.query()
        return [held, pending].map((locks) => locks.filter((one) => one.name === name).length)
      }, lock)
    expect(await countLocksOfNext()).toEqual([1, 1])
    await crashPage(keeperWindow.page)
    await expect.poll(countLocksOfNext).toEqual([1, 0])
    const copiedSince = Date.now()
    await nextWindow.typeAtEnd('Kept by the next.')
    await expect(nextWindow.saveState).toHaveText('Saved')
    await expectStoredOnDevice(nextWindow.page, document.id, copiedSince)
  },
)

test(
  '[D6] where the device stores nothing, the window says so and asks before it closes',
  { tag: '@long' },
  async ({ context, server, createDocument, openWindowIn }) => {
    await context.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('forbidden here', 'SecurityError')
      }
    })
    const document = await createDocument()
    const window = await openWindowIn(context, document.url('editor'))
    await window.typeAtEnd('Saved. ')
    await expect(window.saveState).toHaveText('Saved')
    await server.kill()
    await window.type('Not saved.')
    await expect(window.saveState).toHaveText('Not saved')
    const dialogEvent = window.page.waitForEvent('dialog')
    await window.page.close({ runBeforeUnload: true })
    const dialog = await dialogEvent
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
  },
)
