import { Bookmark } from 'lucide-react'
import { useId, type FormEvent, type RefObject } from 'react'
import type { PanelProps } from '@/components/panels/panel-props.ts'
import { Button } from '@/components/ui/button.tsx'
import { toast } from '@/components/ui/toast.ts'
import { useSaveVersion } from './use-versions.ts'
import { historyStrings } from '@/lib/strings/history.ts'

type SaveVersionFormProps = PanelProps & { readonly field: RefObject<HTMLInputElement | null> }

export function SaveVersionForm({ document, opened, status, field }: SaveVersionFormProps) {
  const saveVersion = useSaveVersion(document, opened)
  const id = useId()
  const isLinkDown = status.link.state !== 'up'
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const name = (new FormData(form).get('name') as string).trim()
    if (name === '' || isLinkDown) return
    saveVersion.mutate(name, {
      onSuccess: () => {
        form.reset()
      },
      onError: (error) => toast.error(historyStrings.saveForm.failed(error.message)),
    })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm text-muted">
        {historyStrings.saveForm.label}
      </label>
      <div className="flex gap-2">
        <input
          ref={field}
          id={id}
          name="name"
          required
          maxLength={100}
          autoComplete="off"
          placeholder={historyStrings.saveForm.placeholder}
          className="h-9 min-w-0 flex-1 rounded-lg border border-edge bg-paper px-3 text-sm text-ink"
        />
        <Button
          type="submit"
          shape="small"
          disabled={saveVersion.isPending || isLinkDown}
          className="min-h-9"
        >
          <Bookmark size={16} aria-hidden />{' '}
          {saveVersion.isPending ? historyStrings.saveForm.saving : historyStrings.saveForm.save}
        </Button>
      </div>
      <output className="text-sm text-muted empty:absolute">
        {saveVersion.data?.name && historyStrings.saveForm.saved(saveVersion.data.name)}
      </output>
      {isLinkDown && <p className="text-sm text-muted">{historyStrings.saveForm.offline}</p>}
    </form>
  )
}
