/** Whole blocks as the selection: the commands for blocks act on all of them, as do copy, cut and delete. */
import { Fragment, type Node, type ResolvedPos, Slice } from '@tiptap/pm/model'
import { Selection } from '@tiptap/pm/state'
import type { Mappable } from '@tiptap/pm/transform'
import type { BlockRange } from './block-range.ts'

export class BlockSelection extends Selection {
  /** Where the caret was. The keys that leave the blocks return to it, as does a typed letter. */
  readonly caret: number | null

  /** Each end is an edge of a block. Shift with an arrow moves the second. */
  constructor($anchor: ResolvedPos, $head: ResolvedPos, caret: number | null = null) {
    super($anchor, $head)
    this.caret = caret
  }

  static of(doc: Node, { from, to }: BlockRange, caret: number | null = null): BlockSelection {
    return new BlockSelection(doc.resolve(from), doc.resolve(to), caret)
  }

  override map(doc: Node, mapping: Mappable): Selection {
    const isForward = this.anchor <= this.head
    const [from, to] = [mapping.map(this.from, 1), mapping.map(this.to, -1)]
    const caret = this.caret === null ? null : mapping.map(this.caret)
    return isForward ? blocksBetween(doc, from, to, caret) : blocksBetween(doc, to, from, caret)
  }

  /** An item that is copied goes within its list. */
  override content(): Slice {
    const { parent } = this.$from
    const nodes = Fragment.from(this.blocks())
    return parent.type.isInGroup('list')
      ? new Slice(Fragment.from(parent.copy(nodes)), 1, 1)
      : new Slice(nodes, 0, 0)
  }

  blocks(): readonly Node[] {
    const { parent } = this.$from
    return parent.children.slice(this.$from.index(), this.$to.index())
  }

  override eq(other: Selection): boolean {
    return other instanceof BlockSelection && other.anchor === this.anchor && other.head === this.head
  }

  /** Nothing reads it: a selection is never stored. */
  override toJSON(): { readonly type: string; readonly anchor: number; readonly head: number } {
    return { type: 'blocks', anchor: this.anchor, head: this.head }
  }
}

BlockSelection.prototype.visible = false

/** What is no longer blocks of one parent becomes a caret. */
function blocksBetween(doc: Node, anchor: number, head: number, caret: number | null): Selection {
  const [$anchor, $head] = [doc.resolve(anchor), doc.resolve(head)]
  const areBlocks = anchor !== head && $anchor.sameParent($head) && !$anchor.parent.inlineContent
  return areBlocks ? new BlockSelection($anchor, $head, caret) : Selection.near($head)
}
