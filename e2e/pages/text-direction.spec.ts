import { expect, test } from '../fixtures/test.ts'

const arabic = 'مرحبا'

test(
  'a block runs the way of its letters, and its bullet, box or bar stands where they begin',
  { tag: '@long' },
  async ({ editorWindow: window }) => {
    const { page, text } = window
    await page.getByRole('textbox', { name: 'Title' }).fill(arabic)
    await window.focusEnd()
    // As in Markdown; an empty item ends a list.
    await page.keyboard.type(`# ${arabic}\nplain\n- ${arabic}\nleft\n\n[ ] ${arabic}\n\n> ${arabic}`)
    await expect(text.locator('blockquote')).toHaveText(arabic)
    const directionOf = (selector: string) =>
      text.locator(selector).evaluate((element) => getComputedStyle(element).direction)
    const expected = {
      h1: 'rtl',
      '> p:has-text("plain")': 'ltr',
      'ul:not([data-type]) > li:first-child': 'rtl',
      'ul:not([data-type]) > li:first-child > p': 'rtl',
      'ul:not([data-type]) > li:last-child': 'ltr',
      '[data-type=taskList] > li': 'rtl',
      blockquote: 'rtl',
      'blockquote > p': 'rtl',
    }
    for (const [selector, direction] of Object.entries(expected))
      expect.soft(await directionOf(selector), selector).toBe(direction)
    // The room for the bullet and the bar, measured.
    const marginsOf = (selector: string) =>
      text.locator(selector).evaluate((element) => {
        const [elementBox, parentBox] = [
          element.getBoundingClientRect(),
          element.parentElement!.getBoundingClientRect(),
        ]
        const { borderLeftWidth, borderRightWidth } = getComputedStyle(element)
        return {
          left: elementBox.left - parentBox.left + parseFloat(borderLeftWidth),
          right: parentBox.right - elementBox.right + parseFloat(borderRightWidth),
        }
      })
    expect(await marginsOf('ul:not([data-type]) > li:first-child')).toMatchObject({ left: 0 })
    expect(await marginsOf('ul:not([data-type]) > li:last-child')).toMatchObject({ right: 0 })
    expect(await marginsOf('blockquote')).toEqual({ left: 0, right: 3 })
    const box = (await text.getByRole('checkbox').boundingBox())!
    const letters = (await text.locator('[data-type=taskList] p').boundingBox())!
    expect(box.x).toBeGreaterThan(letters.x + letters.width)
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveCSS('direction', 'rtl')
  },
)

test(
  'a long paragraph runs the way of its letters, too',
  { tag: '@long' },
  async ({ editorWindow: window }) => {
    const { page, text } = window
    await window.focusEnd()
    await page.keyboard.insertText(`${arabic} `.repeat(1_000))
    const paragraph = text.locator('> p')
    await expect(paragraph).toHaveCSS('direction', 'rtl')
    // Chromium would lay out all its lines anew at each key.
    await expect(paragraph).not.toHaveCSS('unicode-bidi', 'plaintext')
    await window.focusStart()
    await page.keyboard.type('x')
    await window.expectLines(`x${`${arabic} `.repeat(1_000)}`)
  },
)
