'use client'

import type { Editor } from '@tiptap/react'
import type { OpenDocument } from '@/lib/client.ts'
import { rangeOfMatch } from '@/lib/text/search-match.ts'
import {
  type Command,
  type HelpOnlyKeys,
  createHelpOnlyCommand,
} from '@/components/commands/command-registry.ts'
import { useCommands } from '@/components/commands/use-commands.ts'
import { shownMatchesOf } from '@/components/find/shown-matches.ts'
import { dispatchPanelCommand } from '@/components/commands/dispatch-panel-command.ts'
import { focusText } from '../focus-text.ts'
import { textBindingOf } from '@/components/binding/text-binding.ts'
import { editorRangeOf, lineRangeBetween } from '../highlights/highlights.ts'
import { type EditingActions, editingCommandsOf } from './editing-commands.ts'
import { useSectionCommands } from './use-section-commands.ts'
import { editorStrings } from '@/lib/strings/editor.ts'

interface TextCommandsOptions extends EditingActions {
  readonly opened: OpenDocument
  readonly editor: Editor
  readonly editable: boolean
}

/** Registers the commands of the page's main text. */
export function useTextCommands({ opened, editor, editable, ...actions }: TextCommandsOptions): void {
  const sectionCommands = useSectionCommands(editor, opened)
  useCommands([
    { id: 'text', title: editorStrings.commands.text, section: 'Go to', run: () => focusText(editor) },
    ...helpOnlyKeys.map(createHelpOnlyCommand),
    findCommand(editor),
    selectMatchCommand(editor, opened),
    ...(editable
      ? [toolbarCommand, ...editingCommandsOf(editor, actions), ...sectionCommands, saveVersionCommand]
      : []),
  ])
}

/** Alt+F10 as in other editors. */
const toolbarCommand: Command = {
  id: 'toolbar',
  title: editorStrings.commands.toolbar,
  section: 'Go to',
  keys: 'Alt+F10',
  run() {
    const ownPanel = document.activeElement?.closest('[data-pane=panel]')
    const toolbars = [
      document.querySelector('[data-selection-bubble]'),
      ownPanel?.querySelector('[role=toolbar]'),
      document.querySelector('[role=toolbar]'),
    ]
    toolbars
      .find((toolbar) => toolbar)
      ?.querySelector<HTMLElement>('[tabindex="0"]')
      ?.focus()
  },
}

/** Keys of the editor, of panels and of the comment at the selection. The help lists them also while these are not on screen. */
const helpOnlyKeys: readonly HelpOnlyKeys[] = [
  { id: 'leave-text', ...editorStrings.commands.leaveText, section: 'Go to', keys: 'Escape' },
  { id: 'slash-menu', ...editorStrings.commands.slashMenu, section: 'Text', keys: '/' },
  { id: 'toggle.switch', ...editorStrings.commands.switchToggle, section: 'Text', keys: 'Mod+Enter' },
  { id: 'comment.send', ...editorStrings.commands.sendComment, section: 'Text', keys: 'Mod+Enter' },
  { id: 'find.next', ...editorStrings.commands.findNext, section: 'Go to', keys: ['F3', 'Mod+G'] },
  {
    id: 'find.previous',
    ...editorStrings.commands.findPrevious,
    section: 'Go to',
    keys: ['Shift+F3', 'Mod+Shift+G'],
  },
  { id: 'comments.next', ...editorStrings.commands.nextComment, section: 'Go to', keys: 'F8' },
  { id: 'comments.previous', ...editorStrings.commands.previousComment, section: 'Go to', keys: 'Shift+F8' },
]

/** The selected text becomes the query, unless it spans more than one line. */
const findCommand = (editor: Editor): Command => ({
  id: 'find',
  title: editorStrings.commands.find,
  section: 'Go to',
  keys: 'Mod+F',
  run: () => {
    const { state } = editor
    const { from, to } = state.selection
    const selected = state.doc.textBetween(from, to, '\n')
    const text = selected.includes('\n') ? '' : selected.slice(0, 200)
    dispatchPanelCommand({ panel: 'find', text, caret: lineRangeBetween(state, from, to).from })
  },
})

/** Selects the current match in the text, so that the person can edit it. */
const selectMatchCommand = (editor: Editor, opened: OpenDocument): Command => ({
  id: 'found',
  title: editorStrings.commands.selectMatch,
  section: 'Go to',
  when: () => shownMatchesOf(opened).getState().current !== null,
  run: () => {
    const { matches, current } = shownMatchesOf(opened).getState()
    const match = matches[current ?? 0]
    textBindingOf(editor.state)?.drawRest()
    const range = match && editorRangeOf(editor.state, rangeOfMatch(match))
    if (range && editor.commands.setTextSelection(range)) focusText(editor)
  },
})

const saveVersionCommand: Command = {
  id: 'keep-version',
  ...editorStrings.commands.nameVersion,
  section: 'Document',
  run: () => dispatchPanelCommand({ panel: 'history', keep: true }),
}
