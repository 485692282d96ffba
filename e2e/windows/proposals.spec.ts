/** A proposal: begun, written, reviewed beside its original, accepted and rejected, by its author and by an editor of the original. */
import type { Locator, Page } from '@playwright/test'
import { MAX_DECISIONS_AT_ONCE } from '../../lib/protocol/limits.ts'
import { openSharedDocument } from '../../server/fixtures/shared-document.ts'
import { expect, test } from '../fixtures/test.ts'
import { dockPanels, panelOf } from '../fixtures/panels.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { bringPicture } from '../fixtures/paste-picture.ts'
import { propose } from '../fixtures/propose.ts'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'
import { createTextBlock } from '../fixtures/document-writer.ts'
import type { DocumentWindow } from '../fixtures/document-window.ts'
import type { OpenableDocument } from '../fixtures/openable-document.ts'

const panelIn = (page: Page): Locator => panelOf(page, 'Proposals')
const changeIn = (page: Page, number: number): Locator =>
  panelIn(page).getByRole('group', { name: `Change ${number}`, exact: true })

async function selectWord(window: DocumentWindow, length: number): Promise<void> {
  for (const key of ['Control+Home', 'End']) await window.page.keyboard.press(key)
  for (let letter = 0; letter < length; letter += 1) await window.page.keyboard.press('Shift+ArrowLeft')
}

async function openReview(page: Page): Promise<void> {
  await dockPanels(page, 'Proposals')
  await panelIn(page).getByRole('list', { name: 'Proposals' }).getByRole('button').first().click()
  await expect(panelIn(page).getByRole('region', { name: 'Changes' })).toBeVisible()
}

test('a proposal is written apart, arrives at the original, and its changes are accepted and rejected one by one', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const editor = await openWindow(document.url('editor'))
  await editor.typeAtEnd('The meeting is on Monday\nBring a pen.\nAnd paper.')
  await editor.expectReady()
  const author = await openWindow(document.url('editor'))
  await propose(author)
  await author.focusStart()
  await selectWord(author, 'Monday'.length)
  await author.type('Tuesday')
  await author.typeAtEnd('\nAnd cake.')
  await author.expectReady()
  await editor.expectLines('The meeting is on Monday\nBring a pen.\nAnd paper.')

  await expect(editor.page.getByRole('button', { name: '1 open proposal' })).toBeVisible()
  await openReview(editor.page)
  const panel = panelIn(editor.page)
  await expect(panel.getByText('0 of 2 decided')).toBeVisible()
  await expect(panel.getByRole('deletion').first()).toContainText('Monday')
  await expect(panel.getByRole('insertion').first()).toContainText('Tuesday')

  await changeIn(editor.page, 1).getByRole('button', { name: 'Accept' }).click()
  await expect(panel.getByText('1 of 2 decided')).toBeVisible()
  await editor.expectLines('The meeting is on Tuesday\nBring a pen.\nAnd paper.')
  await changeIn(editor.page, 2).getByRole('button', { name: 'Reject' }).click()
  await expect(panel.getByText('2 of 2 decided')).toBeVisible()
  await editor.expectLines('The meeting is on Tuesday\nBring a pen.\nAnd paper.')
  await changeIn(editor.page, 2).getByRole('button', { name: 'Take back' }).click()
  await expect(panel.getByText('1 of 2 decided')).toBeVisible()
  await changeIn(editor.page, 2).getByRole('button', { name: 'Reject' }).click()
  await panel.getByRole('button', { name: 'Finish' }).click()
  await expect(panel.getByText(/· Accepted ·/)).toBeVisible()
  await editor.expectLines('The meeting is on Tuesday\nBring a pen.\nAnd paper.')
  // The proposal is closed: nobody writes in it any more.
  await expect(author.page.getByText('· Accepted')).toBeVisible()
})

test('whoever begins a proposal writes at once; its tab and its menu say what it is', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const author = await openWindow(document.url('editor'))
  await author.typeAtEnd('One.')
  await author.expectReady()
  await propose(author)
  await expect(author.text).toBeFocused()
  await author.page.keyboard.type('Zero. ')
  await author.expectLines('Zero. One.')
  await expect(author.page).toHaveTitle(/^Proposal: /)
  await author.page.getByRole('button', { name: 'Document options' }).click()
  await expect(author.page.getByRole('menuitem', { name: 'Duplicate' })).toBeVisible()
  await expect(author.page.getByRole('menuitem', { name: 'Copy edit link' })).toHaveCount(0)
  await author.page.keyboard.press('Escape')

  await author.page.setViewportSize({ width: 390, height: 800 })
  const bar = author.page.getByRole('region', { name: 'Proposal', exact: true })
  await expect(bar.getByRole('button', { name: 'Withdraw' })).toBeVisible()
  const tops = await bar
    .locator('p, button:visible, a')
    .evaluateAll((elements) => elements.map((element) => Math.round(element.getBoundingClientRect().top)))
  expect(new Set(tops).size, 'lines of the bar').toBeLessThanOrEqual(2)
})

test('of two reviewers one accepts a change; the other sees by whom, and cannot write it a second time', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const editor = await openWindow(document.url('editor'))
  await editor.typeAtEnd('One.')
  await editor.expectReady()
  const author = await openWindow(document.url('editor'))
  await propose(author)
  await author.typeAtEnd(' Two.')
  await author.expectReady()
  const other = await openWindow(document.url('editor'))
  await openReview(editor.page)
  await openReview(other.page)

  // The decision is noted; its edit is still to come.
  const held = Promise.withResolvers<void>()
  await editor.page.route('**/decisions', async (route) => {
    const response = await route.fetch()
    await held.promise
    await route.fulfill({ response })
  })
  await changeIn(editor.page, 1).getByRole('button', { name: 'Accept' }).click()
  const change = changeIn(other.page, 1)
  await expect(change).toContainText(/Accepted by .+, but not in the original/)
  await expect(change.getByRole('button', { name: 'Accept' })).toHaveCount(0)
  await expect(panelIn(other.page).getByRole('button', { name: 'Accept the rest' })).toHaveCount(0)
  held.resolve()
  await expect(change).not.toContainText('but not in the original')
  await expect(change).toContainText(/Accepted by /)
  await Promise.all([editor, other].map((window) => window.expectLines('One. Two.')))
})

test('what the author writes while all is accepted is not merged unseen: the review shows it as new', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const editor = await openWindow(document.url('editor'))
  await editor.typeAtEnd('One.')
  await editor.expectReady()
  const author = await openWindow(document.url('editor'))
  await propose(author)
  await author.typeAtEnd(' Two.')
  await author.expectReady()
  await openReview(editor.page)
  const panel = panelIn(editor.page)
  await expect(panel.getByText('0 of 1 decided')).toBeVisible()
  await editor.page.route(
    '**/accept',
    async (route) => {
      await author.typeAtEnd('\nThree.')
      await author.expectReady()
      await route.continue()
    },
    { times: 1 },
  )
  await panel.getByRole('button', { name: 'Accept all' }).click()
  await expect(editor.page.getByText('Look at what is new')).toBeVisible()
  await expect(changeIn(editor.page, 2)).toContainText('New')
  await expect(changeIn(editor.page, 1)).not.toContainText('New')
  await editor.expectLines('One.')
  await panel.getByRole('button', { name: 'Accept all' }).click()
  await editor.expectLines('One. Two.\nThree.')
})

test('all of a proposal is accepted as a merge with what was written meanwhile; a rejected one leaves the original alone', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const editor = await openWindow(document.url('editor'))
  await editor.typeAtEnd('One.\nTwo.')
  await editor.expectReady()
  const author = await openWindow(document.url('editor'))
  await propose(author)
  await author.typeAtEnd(' Proposed.')
  await author.expectReady()
  await editor.focusStart()
  await editor.type('Meanwhile. ')
  await openReview(editor.page)
  await panelIn(editor.page).getByRole('button', { name: 'Accept all' }).click()
  await editor.expectLines('Meanwhile. One.\nTwo. Proposed.')
  await expect(panelIn(editor.page).getByText(/· Accepted ·/)).toBeVisible()

  await author.page.goto(document.url('editor'))
  await author.expectReady()
  await propose(author)
  await author.typeAtEnd(' Refused.')
  await author.expectReady()
  await panelIn(editor.page).getByRole('button', { name: 'All proposals' }).click()
  await panelIn(editor.page).getByRole('list', { name: 'Proposals' }).getByRole('button').first().click()
  await panelIn(editor.page).getByRole('button', { name: 'Reject all' }).click()
  await expect(panelIn(editor.page).getByText(/· Rejected ·/)).toBeVisible()
  await editor.expectLines('Meanwhile. One.\nTwo. Proposed.')
})

test(
  'where both have changed the same words the reviewer sees both, and keeps both',
  { tag: '@long' },
  async ({ createDocument, openWindow }, info) => {
    const document = await createDocument()
    const editor = await openWindow(document.url('editor'))
    await editor.typeAtEnd('We go to the sea')
    await editor.expectReady()
    const author = await openWindow(document.url('editor'))
    await propose(author)
    await author.focusStart()
    await selectWord(author, 3)
    await author.type('hills')
    await author.expectReady()
    await editor.focusStart()
    await selectWord(editor, 3)
    await editor.type('lakes')

    // In the window of the proposal, beside its own text.
    await author.page.getByRole('button', { name: 'Review', exact: true }).click()
    const change = changeIn(author.page, 1)
    await expect(change).toContainText('The original has changed here, too.')
    await expect(change).toContainText('“lakes”')
    await author.page.setViewportSize({ width: 1440, height: 900 })
    await forLightAndDark(author.page, (scheme) =>
      expectCleanPage(author.page, `review ${scheme} 1440`, info),
    )
    await change.getByRole('button', { name: 'Comment' }).click()
    await change.getByRole('textbox', { name: 'Comment on this change' }).fill('Why not both?')
    await change.getByRole('button', { name: 'Comment' }).last().click()
    await expect(change.getByText('Why not both?')).toBeVisible()
    await change.getByRole('button', { name: 'Keep both' }).click()
    await editor.expectLines('We go to the lakes hills')
  },
)

test(
  'the review in a window of its own: two columns, one on a phone',
  { tag: '@long' },
  async ({ createDocument, openWindow, openWindowIn }, info) => {
    const document = await createDocument()
    const editor = await openWindow(document.url('editor'))
    await editor.typeAtEnd('# Plan\nThe meeting is on Monday\n- pens\n- paper')
    await editor.expectReady()
    const author = await openWindow(document.url('editor'))
    await propose(author)
    await author.typeAtEnd(' and ink')
    await author.expectReady()
    const review = await openWindowIn(editor.page.context(), `${editor.page.url()}/p/proposals`, {
      ready: false,
    })
    await expect(panelIn(review.page)).toBeVisible()
    await expectCleanPage(review.page, 'proposals list', info)
    await panelIn(review.page).getByRole('list', { name: 'Proposals' }).getByRole('button').first().click()
    await expect(changeIn(review.page, 1)).toBeVisible()
    for (const width of [1440, 390]) {
      await review.page.setViewportSize({ width, height: 900 })
      await forLightAndDark(review.page, (scheme) =>
        expectCleanPage(review.page, `review window ${scheme} ${width}`, info),
      )
    }
    await review.page.keyboard.press('F7')
    await expect(changeIn(review.page, 1).getByRole('button', { name: /^Change 1/ })).toBeFocused()
  },
)

test(
  'a picture of a proposal is in the original, for its readers too, once its change is accepted',
  { tag: '@long' },
  async ({ createDocument, openWindow }) => {
    const document = await createDocument()
    const editor = await openWindow(document.url('editor'))
    await editor.typeAtEnd('One.')
    await editor.expectReady()
    const author = await openWindow(document.url('editor'))
    await propose(author)
    await author.focusEnd()
    await bringPicture(author.text, 'paste', { name: 'sun.png', width: 60, height: 40 })
    await expect(author.text.locator('img')).toBeVisible()
    await expectSaved(author.page)
    await openReview(editor.page)
    await expect(panelIn(editor.page).getByRole('img', { name: 'sun.png' })).toBeVisible()
    await changeIn(editor.page, 1).getByRole('button', { name: 'Accept' }).click()
    const reader = await openWindow(document.url('viewer'))
    const widthIn = ({ text }: DocumentWindow) =>
      text.locator('img').evaluate((picture: HTMLImageElement) => picture.naturalWidth)
    for (const window of [editor, reader]) await expect.poll(() => widthIn(window)).toBe(60)
  },
)

test(
  'a reader proposes where the owner lets readers, writes offline, and a decision offline is refused in a sentence',
  { tag: '@long' },
  async ({ createDocument, openWindow, server, scheme }) => {
    const document = await createDocument()
    const editor = await openWindow(document.url('editor'))
    await editor.typeAtEnd('One.')
    await editor.expectReady()
    const reader = await openWindow(document.url('viewer'))
    await expect(reader.page.getByText('You can read this document, and propose changes to it.')).toHaveCount(
      0,
    )
    const origin = server.origin('http')
    const allowed = await fetch(`${origin}/api/documents/${document.id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', cookie: document.cookie, origin },
      body: JSON.stringify({ proposals: 'viewers' }),
    })
    expect(allowed.status, scheme).toBe(200)
    await reader.page.getByRole('button', { name: 'Propose changes' }).click()
    await expect(reader.page.getByRole('region', { name: 'Proposal', exact: true })).toBeVisible()
    await reader.expectReady()
    await reader.page.context().setOffline(true)
    await reader.typeAtEnd(' Two.')
    await expect(reader.saveState).toHaveText(/on this device/)
    await editor.expectLines('One.')
    await reader.page.context().setOffline(false)
    await expect(reader.saveState).toHaveText('Saved')

    await openReview(editor.page)
    const accept = changeIn(editor.page, 1).getByRole('button', { name: 'Accept' })
    await expect(accept).toBeVisible()
    await editor.page.context().setOffline(true)
    await expect(
      editor.page.getByRole('button', { name: 'Connection', exact: true }),
    ).not.toHaveAccessibleDescription(/^Connected/)
    await accept.click()
    await expect(editor.page.getByText('Decisions are kept on the server')).toBeVisible()
    await editor.page.context().setOffline(false)
    await editor.expectLines('One.')
  },
)

test(
  'what no review can show is not merged with the rest',
  { tag: '@long' },
  async ({ createDocument, openWindow, server }, info) => {
    const document = await createDocument()
    const editor = await openWindow(document.url('editor'))
    await editor.typeAtEnd('One.')
    await editor.expectReady()
    const author = await openWindow(document.url('editor'))
    await propose(author)
    await author.typeAtEnd(' Two.')
    await author.expectReady()
    const id = new URL(author.page.url()).pathname.split('/').at(-1)!
    const program = openSharedDocument(server.origin('http'), { ...document, id })
    await expect.poll(() => program.status.get().document.state).toBe('synced')
    await openReview(editor.page)
    const panel = panelIn(editor.page)
    await expect(panel.getByRole('button', { name: 'Accept all' })).toBeVisible()
    program.doc.getMap('settings').set('hidden', true)
    await program.whenSaved()
    await expect
      .poll(async () => {
        const button = panel.getByRole('button', { name: 'Accept all' })
        if (await button.isVisible()) await button.click()
        return panel.getByText('a review cannot show').isVisible()
      })
      .toBe(true)
    await expectCleanPage(editor.page, 'review of what cannot be shown', info)
    await expect(panel.getByRole('button', { name: 'Accept all' })).toHaveCount(0)
    await panel.getByRole('button', { name: 'Accept the rest' }).click()
    await editor.expectLines('One. Two.')
    await panel.getByRole('button', { name: 'Finish' }).click()
    await expect(panel.getByText(/· Accepted ·/)).toBeVisible()
    const original = openSharedDocument(server.origin('http'), document)
    await expect.poll(() => original.status.get().document.state).toBe('synced')
    expect(original.doc.getMap('settings').size).toBe(0)
    await program.close()
    await original.close()
  },
)

test(
  'more changes than one request decides about are accepted at once',
  { tag: '@long' },
  async ({ createDocument, openWindow, server }) => {
    const CHANGES = MAX_DECISIONS_AT_ONCE + 1
    const document = await createDocument()
    const editor = await openWindow(document.url('editor'))
    await editor.typeAtEnd('One.')
    await editor.expectReady()
    const origin = server.origin('http')
    const created = await fetch(`${origin}/api/documents/${document.id}/proposals`, {
      method: 'POST',
      headers: { cookie: document.cookie, origin, 'content-type': 'application/json' },
      body: '{}',
    })
    const { id } = (await created.json()) as { id: string }
    const program = openSharedDocument(origin, { ...document, id })
    await expect.poll(() => program.status.get().document.state).toBe('synced')
    program.doc.transact(() => {
      // Hidden from the review, so that it offers no merge.
      program.doc.getMap('settings').set('hidden', true)
      const lines = Array.from({ length: CHANGES }, (_, n) => createTextBlock('paragraph', `Line ${n}.`))
      program.doc.getXmlFragment('default').insert(1, lines)
    })
    await program.whenSaved()
    await program.close()
    await openReview(editor.page)
    const panel = panelIn(editor.page)
    await panel.getByRole('button', { name: 'Accept the rest' }).click()
    const count = CHANGES.toLocaleString('en')
    await expect(panel.getByText(`${count} of ${count} decided`)).toBeVisible()
    await panel.getByRole('button', { name: 'Finish' }).click()
    await expect(panel.getByText(/· Accepted ·/)).toBeVisible()
    const original = openSharedDocument(origin, document)
    await expect.poll(() => original.doc.getXmlFragment('default').length).toBe(1 + CHANGES)
    await original.close()
  },
)

/** A proposal whose author is removed from the document. */
async function openLostProposal(
  document: OpenableDocument,
  openWindow: (url: string) => Promise<DocumentWindow>,
  origin: string,
) {
  const author = await openWindow(document.url('editor'))
  await author.typeAtEnd('One.')
  await author.expectReady()
  await propose(author)
  const headers = { cookie: document.cookie, origin }
  const path = `${origin}/api/documents/${document.id}`
  const access = (await (await fetch(`${path}/access`, { headers })).json()) as { people: { id: string }[] }
  for (const { id } of access.people)
    await fetch(`${path}/access/${encodeURIComponent(id)}`, { method: 'DELETE', headers })
  return {
    page: author.page,
    async listProposals() {
      const listed = await fetch(`${path}/proposals`, { headers })
      return ((await listed.json()) as { proposals: { id: string; state: string }[] }).proposals
    },
    reject: (id: string) => fetch(`${path}/proposals/${id}/reject`, { method: 'POST', headers }),
  }
}

test(
  'an author who was removed from the document withdraws the proposal, and deletes it once they were asked',
  { tag: '@long' },
  async ({ createDocument, openWindow, server }) => {
    const { page, listProposals } = await openLostProposal(
      await createDocument(),
      openWindow,
      server.origin('http'),
    )
    const deletion = page.getByRole('button', { name: 'Delete my proposal for good', includeHidden: true })
    const dialog = page.getByRole('alertdialog', { name: 'Delete your proposal for good?' })
    await page.getByRole('button', { name: 'Withdraw my proposal' }).dblclick()
    await expect(deletion).toBeAttached()
    await expect(async () => {
      // The second click may have asked already.
      if (!(await dialog.isVisible())) await deletion.click({ timeout: 2_000 })
      await dialog.getByRole('button', { name: 'Keep it' }).click({ timeout: 2_000 })
    }).toPass()
    await expect(dialog).toBeHidden()
    expect(await listProposals()).toMatchObject([{ state: 'withdrawn' }])
    await deletion.click()
    await dialog.getByRole('button', { name: 'Delete for good' }).click()
    await expect(page.getByText('Your proposal is deleted.')).toBeVisible()
    expect(await listProposals()).toEqual([])
  },
)

test(
  'an author who was removed, and whose proposal was rejected meanwhile, can delete it',
  { tag: '@long' },
  async ({ createDocument, openWindow, server }) => {
    const { page, listProposals, reject } = await openLostProposal(
      await createDocument(),
      openWindow,
      server.origin('http'),
    )
    const withdraw = page.getByRole('button', { name: 'Withdraw my proposal' })
    await expect(withdraw).toBeVisible()
    const [proposal] = await listProposals()
    expect((await reject(proposal!.id)).status).toBe(200)
    await withdraw.click()
    await expect(page.getByText('This proposal is rejected already.')).toBeVisible()
    await page.getByRole('button', { name: 'Delete my proposal for good' }).click()
    await page.getByRole('button', { name: 'Delete for good', exact: true }).click()
    await expect(page.getByText('Your proposal is deleted.')).toBeVisible()
    expect(await listProposals()).toEqual([])
  },
)

test(
  'a proposal of a deleted document says so, and loses nothing',
  { tag: '@long' },
  async ({ createDocument, openWindow, server }) => {
    const document = await createDocument()
    const author = await openWindow(document.url('editor'))
    await author.typeAtEnd('One.')
    await author.expectReady()
    await propose(author)
    await author.typeAtEnd(' Two.')
    await author.expectReady()
    const origin = server.origin('http')
    const headers = { cookie: document.cookie, origin }
    const deleted = await fetch(`${origin}/api/documents/${document.id}`, { method: 'DELETE', headers })
    expect(deleted.status).toBe(204)
    await expect(author.page.getByText('You no longer have access to this document.')).toBeVisible()
    expect(await author.readLines()).toBe('One. Two.')
    const restored = await fetch(`${origin}/api/trash/${document.id}/restore`, { method: 'POST', headers })
    expect(restored.status).toBe(204)
    await author.page.reload()
    await author.expectReady()
    await author.expectLines('One. Two.')
  },
)
