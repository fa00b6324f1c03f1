/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a shared object without the symbol.
 */
int no_symbol_at_all(void);

int no_symbol_at_all(void)
{
    return 1;
}
