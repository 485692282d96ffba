import { chromium } from '@playwright/test'
import { chromiumArguments, findTestBrowser } from '../fixtures/chromium.ts'
import { expectSaved, saveStateIn } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

test.use({ serviceWorkers: 'allow' })

test(
  '[D6] where the certificate is not trusted, the Connection dialog says what does not work offline, and the rest works',
  { tag: '@long' },
  async ({ server }) => {
    const executablePath = findTestBrowser()
    const args = chromiumArguments.filter((argument) => argument !== '--ignore-certificate-errors')
    const browser = await chromium.launch({ args, ...(executablePath && { executablePath }) })
    // A person clicks through the warning in this way. The browser makes no such exception for service workers.
    const context = await browser.newContext({ ignoreHTTPSErrors: true })
    try {
      const page = await context.newPage()
      await page.goto(`${server.origin('https')}/new`)
      await expectSaved(page)
      const button = page.getByRole('button', { name: 'Connection', exact: true })
      await button.click()
      const dialog = page.getByRole('dialog', { name: 'Connection' })
      await expect(dialog.getByText('the browser does not trust the server’s certificate')).toBeVisible()
      await page.keyboard.press('Escape')

      await server.kill()
      await page.getByRole('textbox', { name: 'Document' }).pressSequentially('Kept.')
      await expect(saveStateIn(page)).toHaveText('Saved on this device')
    } finally {
      await browser.close()
      await server.kill()
      await server.start()
    }
  },
)
