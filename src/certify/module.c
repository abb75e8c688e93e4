// What the module exports.
#include "certify/certify.h"

extern const certify_module certify_module_table;
__attribute__((visibility("default"))) const certify_module certify_module_table = {
    ZWANG_VERSION, certify_system_new, certify_system_free, certify_run, certify_end_free};
