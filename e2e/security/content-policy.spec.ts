/** [A8] What a page may run and load in a real browser: each of our pages works under its policy, and injected markup does nothing. */
import type { Page } from '@playwright/test'
import { expectStoredOnDevice } from '../fixtures/device-storage.ts'
import { expect, test } from '../fixtures/test.ts'

test.describe('in a browser with service workers', { tag: '@long' }, () => {
  test.use({ serviceWorkers: 'allow' })

  test('[A8] a page that the service worker cached has the nonce of its own header', async ({
    context,
    server,
    scheme,
    createDocument,
    openWindowIn,
    policyReports,
  }) => {
    const document = await createDocument()
    const first = await openWindowIn(context, document.url('editor'))
    await first.typeAtEnd('Kept.')
    await expect(first.saveState).toHaveText('Saved')
    await expectStoredOnDevice(first.page, document.id)
    await server.kill()
    const second = await openWindowIn(context, `${server.origin(scheme)}/d/${document.id}`, { ready: false })
    await second.expectLines('Kept.')
    expect(
      await readViolatedDirective(second.page, policyReports, injections['an event handler in markup']),
    ).toBe('script-src-attr')
    await server.start()
  })
})

/** Each runs in the page, and makes the browser report it. */
const injections = {
  'an event handler in markup': () => {
    document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.ran = true">')
  },
  'a script address': () => {
    const link = document.createElement('a')
    link.href = 'javascript:window.ran = true'
    document.body.append(link)
    link.click()
  },
  'an inline script in markup': () => {
    document.write('<script>window.ran = true</script>')
  },
  'a script from elsewhere in markup': () => {
    document.write('<script src="https://elsewhere.example/x.js"></script>')
  },
  'another base for all addresses': () => {
    document.head.insertAdjacentHTML('afterbegin', '<base href="https://elsewhere.example/">')
  },
  'an object': () => {
    document.body.insertAdjacentHTML('beforeend', '<object data="https://elsewhere.example/x"></object>')
  },
  'a frame': () => {
    document.body.insertAdjacentHTML('beforeend', '<iframe src="https://elsewhere.example/x"></iframe>')
  },
  'an image from elsewhere': () => {
    document.body.insertAdjacentHTML('beforeend', '<img src="https://elsewhere.example/x.png">')
  },
  'a style sheet': () => {
    document.head.insertAdjacentHTML('beforeend', '<style>body { display: none }</style>')
  },
  'a message to elsewhere': () => void fetch('https://elsewhere.example/x').catch(() => undefined),
  'a form that sends elsewhere': () => {
    document.body.insertAdjacentHTML('beforeend', '<form action="https://elsewhere.example/x"></form>')
    document.forms[document.forms.length - 1]!.submit()
  },
  'a worker from elsewhere': () => {
    const url = URL.createObjectURL(new Blob(['postMessage(1)'], { type: 'text/javascript' }))
    try {
      new Worker(url)
    } catch {
      // Some browsers throw, others report the error to the worker.
    }
  },
}

const directives: Record<keyof typeof injections, string> = {
  'an event handler in markup': 'script-src-attr',
  'a script address': 'script-src',
  'an inline script in markup': 'script-src',
  'a script from elsewhere in markup': 'script-src',
  'another base for all addresses': 'base-uri',
  'an object': 'object-src',
  'a frame': 'frame-src',
  'an image from elsewhere': 'img-src',
  'a style sheet': 'style-src',
  'a message to elsewhere': 'connect-src',
  'a form that sends elsewhere': 'form-action',
  'a worker from elsewhere': 'worker-src',
}

/** Returns the directive that stopped the injection, as the browser's console names it. Removes that report, which is no fault here. */
async function readViolatedDirective(
  page: Page,
  policyReports: string[],
  injectMarkup: () => void,
): Promise<string | undefined> {
  await page.evaluate(injectMarkup)
  await expect.poll(() => policyReports.length).toBeGreaterThan(0)
  expect(await page.evaluate(() => (window as { ran?: boolean }).ran)).toBeUndefined()
  const [report] = policyReports.splice(0)
  return / directive:? ["']([\w-]+) /.exec(report!)?.[1] ?? report
}

/** `npm test` tries these: script in the page, script from elsewhere, and what would carry a text away. */
const quickInjections = [
  'an event handler in markup',
  'a script from elsewhere in markup',
  'a message to elsewhere',
]

for (const [what, inject] of Object.entries(injections)) {
  test(`[A8] ${what} that somebody brought into a page does nothing${quickInjections.includes(what) ? '' : ' @long'}`, async ({
    page,
    server,
    scheme,
    policyReports,
  }) => {
    await page.goto(`${server.origin(scheme)}/settings`)
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
    expect(await readViolatedDirective(page, policyReports, inject)).toBe(
      directives[what as keyof typeof directives],
    )
  })
}

test('[A8] a page turns no text into script', async ({ page, server, scheme }) => {
  await page.goto(`${server.origin(scheme)}/settings`)
  const thrown = page.waitForEvent('pageerror')
  // The test's own script may do so, but not what it leaves to a timer.
  // oxlint-disable-next-line typescript/no-implied-eval -- which is the point
  await page.evaluate(() => void setTimeout(() => Function('window.ran = true')()))
  expect((await thrown).name).toBe('EvalError')
})

test('[A8] every kind of page is drawn under its policy, each with a nonce of its own', async ({
  page,
  server,
  scheme,
  createDocument,
  policyReports,
}) => {
  const { id } = await createDocument()
  const nonces = new Set<string>()
  const paths = [
    '/',
    `/d/${id}`,
    `/d/${id}/p/outline`,
    '/lab',
    '/lab/dashboard',
    '/settings',
    '/offline',
    '/x',
  ]
  for (const path of paths) {
    const answer = await page.goto(server.origin(scheme) + path)
    const policy = answer?.headers()['content-security-policy'] ?? ''
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
    expect(nonce, path).toMatch(/^[\w+/]{22}==$/)
    nonces.add(nonce)
    // React handles clicks once it has taken the page over.
    await page.waitForFunction(() => Object.keys(document.body).some((key) => key.startsWith('__react')))
    await expect(page.getByRole('heading').or(page.getByRole('main')).first()).toBeVisible()
  }
  expect(nonces.size).toBe(paths.length)
  // Pages are drawn in the server's process, where a second Yjs would be one too many.
  expect(server.output).not.toContain('Yjs was already imported')
  expect(policyReports).toEqual([])
})
