import { pagesStrings } from '@/lib/strings/pages.ts'

/** In a file of its own: the site's `loading` is above all pages, so every page would load the list's code with it. */
export function LoadingRows() {
  return (
    <div className="mt-4">
      <output className="sr-only">{pagesStrings.loadingDocuments}</output>
      <div aria-hidden className="divide-y divide-line">
        {[56, 38, 47].map((width) => (
          <div key={width} className="flex h-[4.5rem] flex-col justify-center gap-2.5">
            <div className="h-3.5 animate-pulse rounded bg-line" style={{ width: `${width}%` }} />
            <div className="h-2.5 w-28 animate-pulse rounded bg-line" />
          </div>
        ))}
      </div>
    </div>
  )
}
