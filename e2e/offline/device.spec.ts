import { crash, expectOnDevice } from '../support/device.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectEqual } from '../support/window.ts'

test.use({ serviceWorkers: 'allow' })

/** The longest wait between two tries, and some. */
const RECONNECT = { timeout: 30_000 }

test.afterEach(async ({ server }) => {
  await server.kill()
  await server.start()
})

test('[D6] without its server a document is saved on this device, opens from there, and is sent later', async ({
  context,
  server,
  scheme,
  door,
  openWindow,
  openWindowOf,
}) => {
  const document = await door.newDocument()
  const address = `${server.origin(scheme)}/d/${document.id}`
  const first = await openWindowOf(context, document.url('editor'))
  await first.append('Before, ')
  await expect(first.saveState).toHaveText('Saved')
  await expectOnDevice(first.page, document.id)

  await server.kill()
  await first.type('without a server, ')
  await expect(first.saveState).toHaveText('Saved on this device')
  const dialogs: string[] = []
  first.page.on('dialog', (dialog) => dialogs.push(dialog.type()))
  const closed = first.page.waitForEvent('close')
  await first.page.close({ runBeforeUnload: true })
  await closed
  expect(dialogs).toEqual([])

  const second = await openWindowOf(context, address, { ready: false })
  await second.expectLines('Before, without a server, ')
  await expect(second.saveState).toHaveText('Saved on this device')
  await second.append('after reopening.')
  await expect(second.saveState).toHaveText('Saved on this device')

  await server.start()
  await expect(second.saveState).toHaveText('Saved', RECONNECT)
  const other = await openWindow(document.url('editor'))
  await expectEqual([second, other], 'Before, without a server, after reopening.', RECONNECT)
})

test('[D6] what a killed window could not send goes out when the documents are looked at', async ({
  context,
  server,
  scheme,
  door,
  openWindow,
  openWindowOf,
}) => {
  const document = await door.newDocument()
  const window = await openWindowOf(context, document.url('editor'))
  await window.append('Sent. ')
  await expect(window.saveState).toHaveText('Saved')
  await expectOnDevice(window.page, document.id)
  await server.kill()
  await window.type('Not sent.')
  await expect(window.saveState).toHaveText('Saved on this device')
  await crash(window.page)

  await server.start()
  const list = await context.newPage()
  await list.goto(server.origin(scheme))
  await expect(list.getByText(/\d+ changes? from an earlier visit (was|were) sent\./)).toBeVisible(RECONNECT)
  const other = await openWindow(document.url('viewer'))
  await expectEqual([other], 'Sent. Not sent.')
})

test(
  '[D6] where the window that keeps the copy is killed, another keeps it',
  { tag: '@long' },
  async ({ context, door, openWindowOf }) => {
    const document = await door.newDocument()
    const keeper = await openWindowOf(context, document.url('editor'))
    await expectOnDevice(keeper.page, document.id)
    const next = await openWindowOf(context, document.url('editor'))
    const lock = `keeper:${document.id}:body`
    const ofNext = () =>
      next.page.evaluate(async (name) => {
        const { held = [], pending = [] } = await navigator.locks.query()
        return [held, pending].map((locks) => locks.filter((one) => one.name === name).length)
      }, lock)
    expect(await ofNext()).toEqual([1, 1])
    await crash(keeper.page)
    await expect.poll(ofNext).toEqual([1, 0])
    const since = Date.now()
    await next.append('Kept by the next.')
    await expect(next.saveState).toHaveText('Saved')
    await expectOnDevice(next.page, document.id, since)
  },
)

test(
  '[D6] where the device keeps nothing, the window says so and asks before it is left',
  { tag: '@long' },
  async ({ context, server, door, openWindowOf }) => {
    await context.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('forbidden here', 'SecurityError')
      }
    })
    const document = await door.newDocument()
    const window = await openWindowOf(context, document.url('editor'))
    await window.append('Saved. ')
    await expect(window.saveState).toHaveText('Saved')
    await server.kill()
    await window.type('Not saved.')
    await expect(window.saveState).toHaveText('Not saved')
    const asked = window.page.waitForEvent('dialog')
    await window.page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
  },
)
