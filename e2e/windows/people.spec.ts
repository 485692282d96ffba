import { expect, test } from '../fixtures/test.ts'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'
import { expectSaved } from '../fixtures/save-state.ts'

test(
  '[W6] People lists persons with their windows and devices, and goes to their caret in the window with the text',
  { tag: '@long' },
  async ({ longDocument, server, scheme, openWindow }, info) => {
    const text = await openWindow(longDocument.url('editor'))
    const zoe = await openWindow(longDocument.url('editor'))
    const people = await text.page.context().newPage()
    await people.goto(`${server.origin(scheme)}/d/${longDocument.id}/p/people`)
    await expectSaved(people)

    const rows = people.getByRole('list', { name: 'People in this document' }).locator('> li')
    await expect(rows).toHaveCount(2)
    await expect(rows.nth(0)).toContainText('(you)')
    await expect(rows.nth(0)).toContainText('Text, People – Chrome on Linux')
    await expect(rows.nth(1)).toContainText('Text – Chrome on Linux')

    await zoe.focusEnd()
    await zoe.type(' Zoe is here.')
    await rows
      .nth(1)
      .getByRole('button', { name: /^Go to/ })
      .click()
    await expect(text.text.getByText('Zoe is here.')).toBeInViewport()

    await rows
      .nth(1)
      .getByRole('button', { name: /^Follow/ })
      .click()
    await expect(text.page.getByRole('status', { name: 'Following' })).toContainText('Following')
    for (const [width, height] of [
      [320, 640],
      [1440, 900],
    ] as const) {
      await people.setViewportSize({ width, height })
      await text.page.setViewportSize({ width, height })
      for (const [name, page] of Object.entries({ people, following: text.page }))
        await forLightAndDark(page, (scheme) => expectCleanPage(page, `${name} ${scheme} ${width}`, info))
    }
    await text.page.keyboard.press('Escape')
    await expect(text.page.getByRole('status', { name: 'Following' })).toBeEmpty()
  },
)
