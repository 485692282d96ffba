import { GitPullRequestArrow } from 'lucide-react'
import { useId, useState, type FormEvent } from 'react'
import type { OpenedEntry, ProposalEntry, ProposalState } from '@/components/http-api.ts'
import { useShownPeople } from '@/components/following/use-shown-people.ts'
import type { PanelProps } from '@/components/panels/panel-props.ts'
import { useAllowProposals, useProposals } from '@/components/proposals/proposal-queries.ts'
import { usePropose } from '@/components/proposals/use-propose.ts'
import { toast } from '@/components/ui/toast.ts'
import { Button } from '@/components/ui/button.tsx'
import { RelativeTime } from '@/components/settings/relative-time.tsx'
import { SelectField } from '@/components/ui/select-field.tsx'
import { commonStrings } from '@/lib/strings/common.ts'
import { panelFramesStrings } from '@/lib/strings/panel-frames.ts'
import { proposalsStrings } from '@/lib/strings/proposals.ts'

interface ProposalListProps {
  readonly panel: PanelProps
  readonly entry: OpenedEntry
  readonly onChoose: (proposal: string) => void
}

const states = Object.keys(proposalsStrings.states) as ProposalState[]

export function ProposalList({ panel, entry, onChoose }: ProposalListProps) {
  const [state, setState] = useState<ProposalState | null>('open')
  const { data, error, refetch, isFetching, hasNextPage, fetchNextPage } = useProposals(panel.document, state)
  const proposals = data?.pages.flatMap((page) => page.proposals)
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 p-4">
      <SelectField
        label={proposalsStrings.list.filter}
        labelPlace="beside"
        value={state ?? ''}
        choices={[
          ...states.map((one) => [one, proposalsStrings.states[one]] as const),
          ['', proposalsStrings.list.all],
        ]}
        onChange={(chosen) => setState(chosen || null)}
      />
      {error && (
        <div role="alert" className="flex flex-col items-start gap-2 text-sm">
          <p>{proposalsStrings.list.failed(error.message)}</p>
          <Button shape="small" onClick={() => void refetch()} disabled={isFetching}>
            {commonStrings.tryAgain}
          </Button>
        </div>
      )}
      {!proposals && !error && <p className="text-sm text-muted">{panelFramesStrings.loading}</p>}
      {proposals?.length === 0 && (
        <p className="text-sm text-muted">
          {state === null ? proposalsStrings.list.empty : proposalsStrings.list.noneOfState}
        </p>
      )}
      {proposals && proposals.length > 0 && (
        <ul aria-label={proposalsStrings.list.label} className="-mx-2 flex flex-col gap-0.5">
          {proposals.map((proposal) => (
            <li key={proposal.id}>
              <ProposalRow proposal={proposal} onClick={() => onChoose(proposal.id)} />
            </li>
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button
          shape="small"
          className="self-start"
          disabled={isFetching}
          onClick={() => void fetchNextPage()}
        >
          {proposalsStrings.list.more}
        </Button>
      )}
      {entry.mayPropose ? (
        <ProposeForm panel={panel} />
      ) : (
        panel.role === 'viewer' && (
          <p className="text-sm text-pretty text-muted">{proposalsStrings.propose.notAllowed}</p>
        )
      )}
      {panel.role === 'owner' && entry.proposals && (
        <AllowedChoice document={panel.document} value={entry.proposals} />
      )}
    </div>
  )
}

type Allowed = NonNullable<OpenedEntry['proposals']>

const choices = Object.entries(proposalsStrings.propose.whoChoices) as [Allowed, string][]

function AllowedChoice({ document, value }: { document: string; value: Allowed }) {
  const allow = useAllowProposals(document)
  const choose = (chosen: Allowed) =>
    allow.mutate(chosen, {
      onError: (error) => toast.error(proposalsStrings.propose.whoFailed(error.message)),
    })
  return (
    <SelectField
      label={proposalsStrings.propose.who}
      labelPlace="beside"
      value={allow.isPending ? allow.variables : value}
      choices={choices}
      onChange={choose}
    />
  )
}

/** In letters, as the server allows. */
const MAX_TITLE = 100

function ProposeForm({ panel }: { panel: PanelProps }) {
  const { propose, isBusy } = usePropose(panel.document, panel.opened)
  const field = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    propose((new FormData(event.currentTarget).get('title') as string).trim())
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-1.5">
      <label htmlFor={field} className="text-sm text-muted">
        {proposalsStrings.propose.label}
      </label>
      <div className="flex flex-wrap gap-2">
        <input
          id={field}
          name="title"
          maxLength={MAX_TITLE}
          autoComplete="off"
          placeholder={proposalsStrings.propose.placeholder}
          className="h-9 min-w-0 flex-1 basis-40 rounded-lg border border-edge bg-paper px-3 text-sm text-ink"
        />
        <Button type="submit" shape="small" disabled={isBusy} className="min-h-9">
          <GitPullRequestArrow size={16} aria-hidden />{' '}
          {isBusy ? proposalsStrings.propose.starting : proposalsStrings.propose.button}
        </Button>
      </div>
      <p className="text-sm text-pretty text-muted">{proposalsStrings.propose.hint}</p>
    </form>
  )
}

function ProposalRow({ proposal, onClick }: { proposal: ProposalEntry; onClick: () => void }) {
  const { title, author, state, createdAt } = proposal
  const { name } = useShownPeople()(author)
  return (
    <button
      type="button"
      onClick={onClick}
      className="flex min-h-9 w-full flex-col justify-center rounded-lg px-2 py-1.5 text-left text-sm -outline-offset-2 hover:bg-sunk"
    >
      <span className="w-full truncate font-medium">{title || proposalsStrings.list.unnamed}</span>
      <span className="w-full truncate text-muted">
        {name} · {proposalsStrings.states[state]} · <RelativeTime at={createdAt} />
      </span>
    </button>
  )
}
