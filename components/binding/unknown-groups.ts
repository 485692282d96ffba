/**
 * Shows many unknown parts that follow each other as few nodes: a browser draws 100 of them at once, and not 100,000. Which parts share a
 * node follows from the parts alone, so that windows with the same text show the same. Knows Yjs; does not know how a part is told to be
 * unknown.
 */
import type { Schema } from '@tiptap/pm/model'
import * as Y from 'yjs'
import { itemOf } from '@/lib/yjs-internals/shared-type.ts'
import type { Reading } from './reading.ts'
import { shownTextOf } from './unknown-content.ts'

/** Up to so many parts in a row are shown one by one. */
const MAX_SINGLE_PARTS = 100
/** A node takes no more parts once it has so many of them, or so many letters (in UTF-16 units). */
const MAX_GROUP_PARTS = 1_000
const MAX_GROUP_LETTERS = 5_000

/** What a node of several parts stands for. */
export class UnknownGroup {
  readonly parts: readonly unknown[]

  constructor(parts: readonly unknown[]) {
    this.parts = parts
  }
}

interface KeptGroup {
  readonly reading: Reading
  readonly group: UnknownGroup
  /** Whether the next part, if it is unknown, belongs to the next group. */
  readonly isFull: boolean
  isChanged: boolean
}

export class UnknownGroups {
  readonly #schema: Schema
  readonly #isUnknown: (part: unknown) => boolean
  /** By the parts in them. */
  readonly #kept = new WeakMap<object, KeptGroup>()

  constructor(schema: Schema, isUnknown: (part: unknown) => boolean) {
    this.#schema = schema
    this.#isUnknown = isUnknown
  }

  /** Drops the group of a part that has changed. */
  forget(part: object): void {
    const kept = this.#kept.get(part)
    if (kept) kept.isChanged = true
  }

  /** Reads the unknown parts from that one on; none where they are few. */
  read(parts: readonly unknown[], first: number): Reading[] {
    const readings: Reading[] = []
    for (let single = first; single <= first + MAX_SINGLE_PARTS; single++)
      if (single === parts.length || !this.#isUnknown(parts[single])) return readings
    for (let at = first; at < parts.length && this.#isUnknown(parts[at]);) {
      const { reading } = this.#findKept(parts, at) ?? this.#createGroup(parts, at)
      readings.push(reading)
      at += reading.width
    }
    return readings
  }

  #findKept(parts: readonly unknown[], first: number): KeptGroup | null {
    const kept = this.#kept.get(parts[first] as object)
    if (!kept || kept.isChanged) return null
    const members = kept.group.parts
    if (members.some((part, index) => part !== parts[first + index])) return null
    const next = first + members.length
    return kept.isFull || next === parts.length || !this.#isUnknown(parts[next]) ? kept : null
  }

  #createGroup(parts: readonly unknown[], first: number): KeptGroup {
    const texts: string[] = []
    let [at, letters, isFull] = [first, 0, false]
    for (; !isFull && at < parts.length && this.#isUnknown(parts[at]); at++) {
      const text = shownTextOf(parts[at])
      if (text) texts.push(text)
      letters += text.length
      isFull = at + 1 - first === MAX_GROUP_PARTS || letters >= MAX_GROUP_LETTERS
    }
    const group = new UnknownGroup(parts.slice(first, at))
    const node = this.#schema.nodes.unknownBlock!.create({
      text: texts.join(' '),
      count: group.parts.length,
      first: idOf(parts[first]),
    })
    const width = group.parts.length
    const reading = { node, source: null, unknown: group, children: [], inline: null, width }
    const kept: KeptGroup = { reading, group, isFull, isChanged: false }
    for (const part of group.parts) if (part instanceof Y.AbstractType) this.#kept.set(part, kept)
    return kept
  }
}

/** Tells two groups with the same letters apart. */
function idOf(part: unknown): string | null {
  const id = part instanceof Y.AbstractType ? itemOf(part)?.id : undefined
  return id ? `${id.client}:${id.clock}` : null
}
