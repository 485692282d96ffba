import { expect, test } from 'vitest'
import { readWindowRequest } from './window-requests.ts'

test('a caret that is no position of a text is left out', () => {
  const wish = { panel: 'find', text: 'words', caret: { line: -1, offset: 0 } }
  expect(readWindowRequest({ type: 'wish', wish })).toEqual({
    type: 'wish',
    wish: { panel: 'find', text: 'words' },
  })
})

test.each<[unknown, boolean]>([
  [{ panel: 'find', text: 'words' }, true],
  [{ panel: 'find', text: '', caret: { line: 3, offset: 0 } }, true],
  [{ panel: 'comments', thread: 'an id' }, true],
  [{ panel: 'comments', text: 'no thread' }, false],
  [{ panel: 'find', text: 'x'.repeat(1_001) }, false],
  [{ panel: 'outline', text: 'words' }, false],
  [{ panel: 'history', keep: true }, true],
  [{ panel: 'history', keep: 'yes' }, false],
  [null, false],
])('what another window asks a panel to do is read as input: %j', (wish, isKnown) => {
  expect(readWindowRequest({ type: 'wish', wish })).toEqual(isKnown ? { type: 'wish', wish } : undefined)
})
