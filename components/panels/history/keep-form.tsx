import { Bookmark } from 'lucide-react'
import { useId, type FormEvent, type RefObject } from 'react'
import type { PanelProps } from '@/components/panels/panel'
import { Button } from '@/components/ui/button'
import { toast } from '@/components/ui/toast'
import { useKeepVersion } from './versions'

type KeepFormProps = PanelProps & { readonly field: RefObject<HTMLInputElement | null> }

export function KeepForm({ document, opened, status, field }: KeepFormProps) {
  const keep = useKeepVersion(document, opened)
  const id = useId()
  const cutOff = status.link.state !== 'up'
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const name = (new FormData(form).get('name') as string).trim()
    if (name === '' || cutOff) return
    keep.mutate(name, {
      onSuccess: () => {
        form.reset()
      },
      onError: (error) => toast.error(`The version was not saved. ${error.message}`),
    })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm text-muted">
        Name this version
      </label>
      <div className="flex gap-2">
        <input
          ref={field}
          id={id}
          name="name"
          required
          maxLength={100}
          autoComplete="off"
          placeholder="Name"
          className="h-9 min-w-0 flex-1 rounded-lg border border-edge bg-paper px-3 text-sm text-ink"
        />
        <Button type="submit" shape="small" disabled={keep.isPending || cutOff} className="min-h-9">
          <Bookmark size={16} aria-hidden /> {keep.isPending ? 'Saving…' : 'Save version'}
        </Button>
      </div>
      <output className="text-sm text-muted empty:absolute">
        {keep.data && `Saved as “${keep.data.name}”.`}
      </output>
      {cutOff && (
        <p className="text-sm text-muted">Versions are kept on the server, which cannot be reached.</p>
      )}
    </form>
  )
}
