/**
 * One way to call the API: JSON in, JSON out.
 *
 * A refusal becomes an `ApiError` whose message is the API's own sentence, ready to be shown to people.
 */

export const API = "/sim/api";

export class ApiError extends Error {
  override name = "ApiError";

  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
  ) {
    super(message);
  }
}

/** The code of an `ApiError` that this page made up because no answer came at all. */
export const UNREACHABLE = "unreachable";

export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return call<T>("GET", path, undefined, signal);
}

export function post<T>(path: string, body: object = {}): Promise<T> {
  return call<T>("POST", path, body);
}

export function remove<T>(path: string): Promise<T> {
  return call<T>("DELETE", path, {});
}

async function call<T>(method: string, path: string, body?: object, signal?: AbortSignal): Promise<T> {
  const request: RequestInit = { method, cache: "no-store" };
  if (signal) request.signal = signal;
  if (body) {
    request.headers = { "Content-Type": "application/json" };
    request.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch(API + path, request);
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError("the server does not answer", 0, UNREACHABLE);
  }
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok || answer === null) throw refusal(response.status, answer);
  return answer as T;
}

function refusal(status: number, answer: unknown): ApiError {
  if (typeof answer === "object" && answer && "error" in answer && typeof answer.error === "string") {
    const code = "code" in answer && typeof answer.code === "string" ? answer.code : "";
    return new ApiError(answer.error, status, code);
  }
  return new ApiError(`the server answered with status ${status}`, status, "");
}
