/** A list of 10,000 documents: what is drawn is bounded, and its end is reached. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryFolder } from '../../server/fixtures/temporary-folder.ts'
import { titleKey } from '../../server/store/title-key.ts'
import { KillableServer } from '../fixtures/killable-server.ts'
import { expect, test } from '../fixtures/test.ts'

const COUNT = 10_000
/** Whatever the window shows, with some on each side. */
const MAX_DRAWN = 80

/** A list of so many is drawn whole. */
const MAX_WHOLE = 100

/** Beside the welcome document of the only person. */
function insertDocuments(folder: string): void {
  using db = new DatabaseSync(join(folder, 'diptych.sqlite'))
  db.exec('pragma busy_timeout = 30000; begin immediate')
  const { owner } = db.prepare('select owner from documents').get() as { owner: string }
  const insert = db.prepare(
    'insert into documents (id, title, title_key, owner, created_at, updated_at) values (?, ?, ?, ?, 1, 1)',
  )
  for (let at = 1; at <= COUNT; at++) {
    const title = `Document ${at}`
    insert.run(`${String(at).padStart(21, 'A')}A`, title, titleKey(title), owner)
  }
  db.exec('commit')
}

for (const layout of ['List', 'Cards'] as const)
  test(`10,000 documents as ${layout} are scrolled to the end and gone through by keys, with few of them drawn at once @long`, async ({
    page,
    scheme,
  }, info) => {
    test.slow()
    await using folder = await temporaryFolder()
    await using server = await KillableServer.start({
      folder: folder.path,
      pages: true,
      environment: { LIMIT_WORK: 'off' },
    })
    await page.goto(server.origins[scheme])
    const list = page.getByRole('list', { name: 'Documents' })
    await expect(list.getByRole('link')).toHaveText(['Welcome to Diptych'])
    insertDocuments(folder.path)
    await page.getByLabel('Sort by').selectOption('Title')
    await page.getByRole('button', { name: layout, exact: true }).click()
    await page.reload()
    await expect(list.getByRole('link', { name: 'Document 1', exact: true })).toBeVisible()
    const { tasks, ...figures } = await page.evaluate(scrollToEntry, COUNT + 1)
    info.annotations.push({
      type: 'figures',
      description: `${figures.frames} frames, at most ${figures.drawn} rows drawn, ${tasks.length} tasks over 50 ms, the longest ${Math.max(0, ...tasks)} ms`,
    })
    expect(figures.drawn).toBeLessThanOrEqual(MAX_WHOLE)
    expect(await list.getByRole('listitem').count()).toBeLessThanOrEqual(MAX_DRAWN)
    await expect(list.getByRole('link').last()).toHaveText('Welcome to Diptych')

    const focused = page.locator('a:focus')
    const pressAndFind = async (key: string, title: string | RegExp) => {
      await page.keyboard.press(key)
      await expect(focused).toHaveText(title)
      await expect(focused).toBeInViewport()
    }
    await list.getByRole('link').last().focus()
    await pressAndFind('Home', 'Document 1')
    await pressAndFind(layout === 'Cards' ? 'ArrowRight' : 'ArrowDown', 'Document 2')
    await pressAndFind('End', 'Welcome to Diptych')
    await pressAndFind(layout === 'Cards' ? 'ArrowLeft' : 'ArrowUp', `Document ${COUNT}`)
    await pressAndFind('PageUp', /^Document 99[5-9]\d$/)
    await pressAndFind('PageDown', /Welcome to Diptych|Document 99\d\d|Document 10000/)
    await pressAndFind('Home', 'Document 1')

    // The list no longer draws the row with the focus once that is far away, and the keys still go on from there.
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2))
    await expect(list.getByRole('link', { name: 'Document 1', exact: true })).toHaveCount(0)
    await pressAndFind(layout === 'Cards' ? 'ArrowRight' : 'ArrowDown', 'Document 2')
  })

/** A screen a frame, until an entry is drawn. */
async function scrollToEntry(number: number) {
  const tasks: number[] = []
  new PerformanceObserver((entries) =>
    tasks.push(...entries.getEntries().map(({ duration }) => Math.round(duration))),
  ).observe({ entryTypes: ['longtask'] })
  const list = () => document.querySelector('ul[aria-label=Documents]')
  let [drawn, frames] = [0, 0]
  for (; frames < 20_000; frames++) {
    scrollBy(0, 800)
    await new Promise((resolve) => requestAnimationFrame(resolve))
    drawn = Math.max(drawn, list()?.children.length ?? 0)
    if (Number(list()?.lastElementChild?.ariaPosInSet) === number) break
  }
  return { drawn, frames, tasks }
}
