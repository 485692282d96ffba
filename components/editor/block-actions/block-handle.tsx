'use client'

import type { Editor } from '@tiptap/core'
import { GripVertical } from 'lucide-react'
import { useEffect, useEffectEvent, useReducer } from 'react'
import { useCommands } from '@/components/commands/use-commands.ts'
import { Hint } from '@/components/ui/hint.tsx'
import { usePopup } from '@/components/ui/use-popup.ts'
import { useEditorFormat } from '../use-editor-format.ts'
import type { BlockActionsProps } from './block-actions-menu.tsx'
import { blockCommandsOf } from './block-action-commands.ts'
import { handlePlace } from './block-geometry.ts'
import { blockKeysKey, blockKeysPlugin } from './block-keys.ts'
import type { BlockRange } from './block-range.ts'
import { BlockSelection } from './block-selection.ts'
import { describeBlocks } from './describe-blocks.ts'
import { useBlockDrag } from './use-block-drag.ts'
import { usePointedBlock } from './use-pointed-block.ts'
import { blockActionsStrings } from '@/lib/strings/block-actions.ts'

const loadMenu = () => import('./block-actions-menu.tsx')

/** In px. */
const HANDLE_HEIGHT = 28

interface BlockHandleProps extends BlockActionsProps {
  readonly hasCommands: boolean
}

/** A handle beside the block below the pointer, or beside the selected blocks: a click opens their menu, dragging it moves them. */
export function BlockHandle({ hasCommands, ...actions }: BlockHandleProps) {
  const { editor, onCopyLink } = actions
  const { trigger, Popup, popup } = usePopup<BlockActionsProps>('menu', loadMenu)
  useBlockKeys(editor, trigger.onClick)
  const selected = useSelectedBlocks(editor)
  const pointed = usePointedBlock(editor)
  useRenderOnResize(editor)
  const selectPointed = () => {
    const { state, view } = editor
    if (!pointed || (selected && holdsRange(selected, pointed))) return
    view.dispatch(state.tr.setSelection(BlockSelection.of(state.doc, pointed, state.selection.head)))
  }
  const { line, onPointerDown, hasDragged } = useBlockDrag(editor, selectPointed)
  const open = () => {
    if (hasDragged.current) return
    selectPointed()
    trigger.onClick()
  }
  // The menu is about what is selected, wherever the pointer has gone since, or was when a key opened it.
  const isAboutPointed = pointed && !(popup.open && selected && !holdsRange(selected, pointed))
  const range: BlockRange | null = isAboutPointed ? pointed : selected
  return (
    <>
      {hasCommands && <BlockCommands editor={editor} onMenu={trigger.onClick} onCopyLink={onCopyLink} />}
      <output className="sr-only">
        {selected && blockActionsStrings.selected(describeBlocks(selected))}
      </output>
      {(range ?? popup.open) && editor.isEditable && (
        <Hint text={blockActionsStrings.handleHint}>
          <button
            {...trigger}
            tabIndex={-1}
            aria-label={blockActionsStrings.handle}
            data-screen-only
            onPointerDown={onPointerDown}
            // The text keeps the focus, and its selection.
            onMouseDown={(event) => event.preventDefault()}
            onClick={open}
            style={{ height: HANDLE_HEIGHT, ...(range && handlePlace(editor.view, range, HANDLE_HEIGHT)) }}
            className="absolute grid w-5 cursor-grab touch-none place-items-center rounded text-muted hover:bg-sunk hover:text-ink active:cursor-grabbing aria-expanded:bg-sunk aria-expanded:text-ink"
          >
            <GripVertical size={16} aria-hidden />
          </button>
        </Hint>
      )}
      {line && (
        <div
          aria-hidden
          style={line}
          className="pointer-events-none absolute h-0.5 -translate-y-1/2 rounded bg-accent"
        />
      )}
      {Popup && <Popup {...actions} {...popup} />}
    </>
  )
}

const holdsRange = (outer: BlockRange, inner: BlockRange): boolean =>
  outer.from <= inner.from && outer.to >= inner.to

interface BlockCommandsProps extends BlockActionsProps {
  readonly onMenu: () => void
}

function BlockCommands({ editor, onMenu, onCopyLink }: BlockCommandsProps) {
  useCommands(blockCommandsOf(editor, onMenu, onCopyLink))
  return null
}

function useBlockKeys(editor: Editor, openMenu: () => void): void {
  const onOpen = useEffectEvent(openMenu)
  useEffect(() => {
    // Before all others, which know no blocks as a selection.
    editor.registerPlugin(
      blockKeysPlugin(editor, () => onOpen()),
      (added, others) => [added, ...others],
    )
    return () => void editor.unregisterPlugin(blockKeysKey)
  }, [editor])
}

/** Lines wrap elsewhere in a text of another width, and the handle stands beside one of them. */
function useRenderOnResize(editor: Editor): void {
  const [, render] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const observer = new ResizeObserver(render)
    observer.observe(editor.view.dom)
    return () => observer.disconnect()
  }, [editor])
}

const useSelectedBlocks = (editor: Editor): BlockSelection | null =>
  useEditorFormat(editor, ({ state }) => (state.selection instanceof BlockSelection ? state.selection : null))
