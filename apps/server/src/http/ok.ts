/** The answer 200 with a body, which may still be on its way. */
export async function ok<B>(body: B | Promise<B>): Promise<{ status: 200; body: B }> {
  return { status: 200, body: await body };
}
