'use client'

import { Popover } from '@base-ui/react/popover'
import type { Editor } from '@tiptap/react'
import { useMemo, useState, type FormEvent } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { linkProblem, withScheme } from '@/lib/text/link-address.ts'
import { strings } from '@/lib/strings/editor.ts'

interface LinkEditorProps {
  readonly editor: Editor
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** The small form at the selection for the address of a link. */
export function LinkEditor({ editor, open, onOpenChange }: LinkEditorProps) {
  const anchor = useMemo(() => ({ getBoundingClientRect: () => selectionRect(editor) }), [editor])
  const close = () => {
    onOpenChange(false)
    editor.commands.focus()
  }
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange}>
      <Popover.Portal>
        <Popover.Positioner
          anchor={anchor}
          sideOffset={8}
          align="start"
          collisionPadding={8}
          className="z-50"
        >
          <Popover.Popup
            aria-label={strings.linkForm.label}
            finalFocus={() => editor.view.dom}
            className="popup-motion w-[min(24rem,calc(100vw-1rem))] rounded-xl border border-line bg-raised p-3 shadow-float outline-none"
          >
            <LinkForm editor={editor} onDone={close} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

export function selectionRect(editor: Editor): DOMRect {
  const { from, to } = editor.state.selection
  const [start, end] = [editor.view.coordsAtPos(from), editor.view.coordsAtPos(to)]
  return new DOMRect(start.left, start.top, Math.max(1, end.left - start.left), end.bottom - start.top)
}

function LinkForm({ editor, onDone }: { editor: Editor; onDone: () => void }) {
  const currentHref = String(editor.getAttributes('link').href ?? '')
  const [problem, setProblem] = useState<string | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const address = (new FormData(event.currentTarget).get('address') as string).trim()
    const found = linkProblem(address)
    setProblem(found)
    if (found) return
    setLink(editor, withScheme(address))
    onDone()
  }
  const remove = () => {
    editor.chain().focus().extendMarkRange('link').unsetLink().run()
    onDone()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-2.5">
      <label className="flex flex-col gap-1 text-sm text-muted">
        {strings.linkForm.address}
        <input
          name="address"
          type="text"
          inputMode="url"
          autoComplete="off"
          placeholder="https://"
          defaultValue={currentHref}
          aria-invalid={problem !== null}
          aria-describedby="link-problem"
          className="h-10 rounded-lg border border-edge bg-paper px-3 text-ink"
        />
      </label>
      <p id="link-problem" role="alert" className="text-sm text-danger empty:absolute">
        {problem}
      </p>
      <div className="flex justify-end gap-2">
        {currentHref && (
          <Button look="quiet" shape="small" onClick={remove} className="mr-auto">
            {strings.linkForm.remove}
          </Button>
        )}
        <Button type="submit" look="primary" shape="small">
          {currentHref ? strings.linkForm.change : strings.linkForm.make}
        </Button>
      </div>
    </form>
  )
}

/** Sets the link on the selected letters or the link around the caret. Without either, it inserts the address as text. */
function setLink(editor: Editor, href: string): void {
  const chain = editor.chain().focus()
  if (!editor.state.selection.empty || editor.isActive('link')) {
    chain.extendMarkRange('link').setLink({ href }).run()
  } else {
    chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run()
  }
}
