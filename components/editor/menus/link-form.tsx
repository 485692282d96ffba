'use client'

import type { Editor } from '@tiptap/react'
import { useState, type FormEvent } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { putCaretAtEnd } from '@/components/ui/put-caret-at-end.ts'
import { linkProblem, withScheme } from '@/lib/text/link-address.ts'
import type { LazyFormProps } from './lazy-form.tsx'
import { SelectionForm } from './selection-form.tsx'
import { editorFormsStrings } from '@/lib/strings/editor-forms.ts'
import { editorStrings } from '@/lib/strings/editor.ts'

export interface LinkFormProps {
  readonly editor: Editor
}

/** The form for the address of a link. */
export default function LinkForm({ editor, typed, ...form }: LinkFormProps & LazyFormProps) {
  return (
    <SelectionForm editor={editor} label={editorStrings.linkForm.label} {...form}>
      <AddressForm editor={editor} typed={typed} onDone={form.onClose} />
    </SelectionForm>
  )
}

interface AddressFormProps extends LinkFormProps {
  readonly typed: string
  readonly onDone: () => void
}

function AddressForm({ editor, typed, onDone }: AddressFormProps) {
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
    editor.chain().focus().extendMarkRange('link').unsetMark('link').setMeta('preventAutolink', true).run()
    onDone()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-2.5">
      <label className="flex flex-col gap-1 text-sm text-muted">
        {editorFormsStrings.linkForm.address}
        <input
          ref={putCaretAtEnd}
          name="address"
          type="text"
          inputMode="url"
          autoComplete="off"
          placeholder="https://"
          defaultValue={typed || currentHref}
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
            {editorFormsStrings.linkForm.remove}
          </Button>
        )}
        <Button type="submit" look="primary" shape="small">
          {currentHref ? editorFormsStrings.linkForm.change : editorFormsStrings.linkForm.make}
        </Button>
      </div>
    </form>
  )
}

/** Sets the link on the selected letters or the link around the caret. Without either, it inserts the address as text. */
function setLink(editor: Editor, href: string): void {
  const chain = editor.chain().focus()
  if (!editor.state.selection.empty || editor.isActive('link')) {
    chain.extendMarkRange('link').setMark('link', { href }).setMeta('preventAutolink', true).run()
  } else {
    chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run()
  }
}
