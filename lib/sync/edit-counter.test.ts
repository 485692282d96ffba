import { describe, expect, test } from 'vitest'
import { EditCounter } from './edit-counter.ts'

interface Counts {
  /** Edits made here, and how many of them are not saved. */
  readonly edits: number
  readonly unsaved: number
  readonly neighbours?: { unsaved: number; unstored: number }
  /** How many of the unsaved ones this device lacks; without it, it stores nothing. */
  readonly unstored?: number
}

function createCounter({ edits, unsaved, neighbours, unstored }: Counts) {
  const channel = {
    edits,
    unsaved,
    adoptEdits(adopted: number) {
      this.edits += adopted
      this.unsaved += adopted
    },
  }
  const localCopy = unstored === undefined ? null : { unstored }
  const counter = new EditCounter({ channel, neighbours: neighbours ?? null, localCopy })
  return { channel, localCopy, counter }
}

const figuresOf = ({ edits, saved, unsaved, unstored }: EditCounter) => ({ edits, saved, unsaved, unstored })

describe('edits that are shown here', () => {
  test('where this device stores nothing, all that is unsaved is unstored', () => {
    const { counter } = createCounter({ edits: 10, unsaved: 3 })
    expect(figuresOf(counter)).toEqual({ edits: 10, saved: 7, unsaved: 3, unstored: 3 })
  })

  test('of what is unsaved here the device may store a part; of the neighbours, what they report', () => {
    const neighbours = { unsaved: 5, unstored: 2 }
    const { counter } = createCounter({ edits: 10, unsaved: 3, unstored: 1, neighbours })
    expect(figuresOf(counter)).toEqual({ edits: 10, saved: 7, unsaved: 8, unstored: 3 })
  })

  test('a device that stores nothing any more lacks no more than is unsaved', () => {
    const { counter } = createCounter({ edits: 10, unsaved: 3, unstored: Infinity })
    expect(counter.unstored).toBe(3)
  })

  test('after a refusal all that is unsaved is unstored, wherever it is stored', () => {
    const neighbours = { unsaved: 5, unstored: 2 }
    const { counter } = createCounter({ edits: 10, unsaved: 3, unstored: 0, neighbours })
    counter.onRefused()
    expect([counter.unstored, counter.ownCounts.unstored]).toEqual([8, 3])
  })
})

describe('[W2] what a window reports to its neighbours', () => {
  test('is its own edits alone', () => {
    const neighbours = { unsaved: 5, unstored: 2 }
    const { counter } = createCounter({ edits: 10, unsaved: 3, unstored: 1, neighbours })
    expect(counter.ownCounts).toEqual({ edits: 10, saved: 7, adopted: 0, unstored: 1 })
  })

  test('has edits that it took over apart, until they are saved', () => {
    const { channel, localCopy, counter } = createCounter({ edits: 10, unsaved: 1, unstored: 0 })
    counter.adopt(4, 2)
    expect(figuresOf(counter)).toEqual({ edits: 14, saved: 9, unsaved: 5, unstored: 2 })
    expect(counter.ownCounts).toEqual({ edits: 10, saved: 9, adopted: 4, unstored: 2 })
    channel.unsaved = 0
    localCopy!.unstored = 0
    expect(figuresOf(counter)).toEqual({ edits: 14, saved: 14, unsaved: 0, unstored: 0 })
    expect(counter.ownCounts).toEqual({ edits: 10, saved: 10, adopted: 0, unstored: 0 })
  })
})
