/** Requests of IndexedDB as promises. */

export function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(errorOf(request))
  })
}

export const errorOf = ({ error }: { error: DOMException | null }): Error =>
  error ?? new Error('The transaction was aborted.')
