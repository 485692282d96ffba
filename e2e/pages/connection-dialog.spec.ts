import type { Locator } from '@playwright/test'
import { HttpProxy } from '../fixtures/http-proxy.ts'
import { expect, test as base } from '../fixtures/test.ts'
import type { DocumentWindow } from '../fixtures/document-window.ts'
import { RECONNECT_WAIT } from '../fixtures/save-state.ts'

interface Fixtures {
  /** Between the browser and the server's plain port. */
  readonly httpProxy: HttpProxy
  openThroughProxy: () => Promise<DocumentWindow>
}

const test = base.extend<Fixtures>({
  // The page's origin stays the fault proxy's, which the server allows.
  httpProxy: async ({ server }, use) => {
    await using proxy = await HttpProxy.startBefore(server, 'http')
    server.proxy('http').targetPort = proxy.port
    await use(proxy)
    server.proxy('http').targetPort = proxy.targetPort
  },
  openThroughProxy: async ({ server, createDocument, openWindow }, use) => {
    await use(async () => {
      const { id, tokens } = await createDocument()
      return openWindow(`${server.faultyOrigin('http')}/d/${id}#token=${tokens.editor}`)
    })
  },
})

const findingOf = (dialog: Locator, transport: string): Locator =>
  dialog.getByRole('list', { name: 'Tested transports' }).getByRole('listitem').filter({ hasText: transport })

test('[S5] behind a proxy that refuses WebSocket the dialog says what is used, why, and when it tries again @long', async ({
  httpProxy: proxy,
  openThroughProxy,
}) => {
  proxy.setFaults({ upgrade: 'refused' })
  const window = await openThroughProxy()
  await window.typeAtEnd('by events')
  await expect(window.saveState).toHaveText('Saved')
  await window.withConnectionDialog(async (dialog) => {
    await expect(findingOf(dialog, 'WebSocket')).toContainText(/refused.*\d:\d\d/)
    await expect(findingOf(dialog, 'Server-sent events')).toContainText('in use')
    await expect(findingOf(dialog, 'Polling').last()).toHaveText(/^Pollingnot tried$/)
    await expect(dialog.getByRole('radio')).toHaveCount(6)
    await expect(dialog.getByRole('radio', { name: 'Automatic' })).toBeChecked()
    await expect(dialog.getByRole('radio', { name: 'Automatic' })).toHaveAccessibleDescription(
      /In use: Server-sent events. WebSocket is tried again at .*\d:\d\d/,
    )
  })
  proxy.heal()
  await expect(window.connection).toHaveAccessibleDescription('Connected by WebSocket', { timeout: 40_000 })
  await window.withConnectionDialog(async (dialog) => {
    await expect(findingOf(dialog, 'Server-sent events')).toContainText('worked')
    await expect(dialog.getByRole('radio', { name: 'Automatic' })).toHaveAccessibleDescription(
      /In use: WebSocket\.$/,
    )
  })
  await window.expectLines('by events')
})

test(
  '[S5] behind a proxy that holds answers back it ends on long polling, and on another network all is tried again',
  { tag: '@long' },
  async ({ httpProxy: proxy, openThroughProxy }) => {
    proxy.setFaults({ upgrade: 'refused', bufferAnswers: true })
    const window = await openThroughProxy()
    await window.typeAtEnd('by polls')
    await expect(window.saveState).toHaveText('Saved')
    await window.withConnectionDialog(async (dialog) => {
      for (const stream of ['Server-sent events', 'HTTP stream'])
        await expect(findingOf(dialog, stream)).toContainText(/held back: no (answer|hello) within [\d.]+ s/)
      await expect(findingOf(dialog, 'Long polling')).toContainText('in use')
    })
    proxy.heal()
    await window.page.evaluate(() => dispatchEvent(new Event('online')))
    await expect(window.connection).toHaveAccessibleDescription('Connected by WebSocket')
    await window.withConnectionDialog(async (dialog) => {
      await expect(findingOf(dialog, 'HTTP stream')).toContainText('before the network changed')
    })
    await window.typeAtEnd(', and on')
    await expect(window.saveState).toHaveText('Saved')
  },
)

test(
  '[S5] behind a proxy that holds uploads back, requests in batches carry them',
  { tag: '@long' },
  async ({ httpProxy: proxy, openThroughProxy }) => {
    proxy.setFaults({ upgrade: 'refused', bufferBodies: true })
    const window = await openThroughProxy()
    await window.typeAtEnd('in batches')
    await expect(window.saveState).toHaveText('Saved')
    await window.withConnectionDialog(async (dialog) => {
      await expect(dialog.getByRole('region', { name: 'In use' })).toContainText('Requests in batches')
    })
  },
)

test('[S8] without a connection the banner offers to try now', async ({
  server,
  createDocument,
  openWindow,
}) => {
  const createdDocument = await createDocument()
  const openedWindow = await openWindow(createdDocument.url('editor', 'faulty'))
  const { page } = openedWindow
  await page.evaluate(() => {
    const opened = window.diptych!
    const { tryNow } = opened
    const countTry = () => {
      document.body.dataset.tries = String(Number(document.body.dataset.tries ?? 0) + 1)
      tryNow()
    }
    Object.assign(opened, { tryNow: countTry })
  })
  server.proxy('https').goOffline()
  await openedWindow.typeAtEnd('kept')
  const tryNow = page.getByRole('button', { name: 'Try now' })
  await tryNow.click()
  await expect(page.locator('body')).toHaveAttribute('data-tries', '1')
  await expect(openedWindow.saveState).toHaveText('Saved on this device')
  server.proxy('https').heal()
  await expect(openedWindow.saveState).toHaveText('Saved', RECONNECT_WAIT)
  await expect(tryNow).toBeHidden()
})
